/** Values of secret inputs that turn up nowhere by chance, and where they turned up all the same. */

/** What a run holds that must not get out, by name. */
export type Canaries = Readonly<Record<string, string>>;

export const apiKey = "canary-Key/0001+=&<'\">|%41`\\x";
export const githubToken = "ghs_canaryToken0002abcdefghijklmnop";
export const clientSecret = "canary secret <0003> | with 'blanks' & \"quotes\"";
export const bearerToken = "canary.Bearer-0004~token/+=";

/** The values of `secrets`, by their names there. */
export const deploymentSecrets: Canaries = {
  PLAIN: "canary-plain-0005",
  SPACED: "canary with blanks 0006 | `tick` <b>@all</b> \\ $x ~!",
  QUOTED: '"canary-quoted-0007"',
  UNICODE: "canäry-пароль-0008-🔑",
  SHORT: "cn09",
  MULTI: "-----BEGIN CANARY 0010-----\nMIIcanary0011AbCd+/==\n  cn12 \nx\n-----END CANARY 0013-----",
  JSON: '{"type":"canary-0014","key":"-----BEGIN\\ncanary0015\\n-----"}',
};

/** The `secrets` input that gives them line by line. */
export const secretsInput = Object.entries(deploymentSecrets)
  .map(([name, value]) =>
    value.includes("\n") ? `${name}<<END_OF_${name}\n${value}\nEND_OF_${name}` : `${name}=${value}`,
  )
  .join("\n");

/** What a run of deploy or preview holds. */
export const deployCanaries: Canaries = { apiKey, githubToken, ...deploymentSecrets };
export const allCanaries: Canaries = { ...deployCanaries, clientSecret, bearerToken };

/**
 * Says which canaries are in a text and in which form; every line of a value counts as one. This is written down anew,
 * not taken from the action, so that what it forgets is found here.
 */
export function leaksIn(text: string, canaries: Canaries = allCanaries): string[] {
  const known = formsOfAll.get(canaries) ?? spelledForms(canaries);
  formsOfAll.set(canaries, known);
  const bare = withoutFiller(text);
  const digits = bare.replaceAll(/[:-]/g, "");
  return known
    .filter(([, form]) => text.includes(form) || (isLong(form) && bare.includes(withoutFiller(form))))
    .map(([name]) => name)
    .concat(known.filter(([, form]) => isHexadecimal(form) && digits.includes(form)).map(([name]) => name));
}

/** What may stand inside a form without createRedactor it from a reader: line ends, also escaped ones, and what isn't seen. */
function withoutFiller(text: string): string {
  return text.replaceAll(/\\+[nrt]|[\s\p{Cc}\p{Cf}]/gu, "");
}

function isLong(form: string): boolean {
  return withoutFiller(form).length >= 12;
}

function isHexadecimal(form: string): boolean {
  return form.length >= 12 && /^([0-9a-f]+|[0-9A-F]+)$/.test(form);
}

/** Made once: a text is looked through after every run. */
const formsOfAll = new WeakMap<Canaries, [name: string, form: string][]>();

function spelledForms(canaries: Canaries): [name: string, form: string][] {
  return Object.entries(canaries).flatMap(([name, value]) =>
    piecesOf(value).flatMap((piece) =>
      formsOf(piece).map(([how, form]): [string, string] => [`${name} ${how}`, form]),
    ),
  );
}

function piecesOf(value: string): string[] {
  const lines = value.split("\n").flatMap((line) => [line, line.trim()]);
  return [...new Set([value, ...lines])].filter((piece) => piece.length >= 4);
}

function formsOf(piece: string): [name: string, form: string][] {
  const bytes = Buffer.from(piece);
  const json = JSON.stringify(piece).slice(1, -1);
  const alignments = [0, 1, 2].map((shift): [string, string] => {
    const encoded = Buffer.concat([Buffer.alloc(shift, "#"), bytes, Buffer.from("##")]).toString("base64");
    const bits = (shift + bytes.length) * 8;
    return [
      `in Base64, shifted by ${shift}`,
      encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6)),
    ];
  });
  return [
    ["as it is", piece],
    ["in one line", piece.replaceAll(/\s+/g, " ")],
    ["in JSON", json],
    ["in JSON in JSON", JSON.stringify(json).slice(1, -1)],
    ["in Go's JSON", goEscaped(json)],
    ["in JSON, escaped throughout", unitsEscaped(piece)],
    ["in a URI", encodeURIComponent(piece)],
    ["in a URI, escaped throughout", bytesEscaped(piece, "%")],
    ["in HTML", htmlEscaped(piece)],
    ["in HTML in a URI", encodeURIComponent(htmlEscaped(piece))],
    ["in JSON in a URI", encodeURIComponent(json)],
    ["in a form", new URLSearchParams({ x: piece }).toString().slice(2)],
    ["in hexadecimal", bytes.toString("hex")],
    ["in capital hexadecimal", bytes.toString("hex").toUpperCase()],
    ...alignments,
  ];
}

/** How a server may quote what it was sent. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "as JSON": (text) => JSON.stringify(text),
  "as JSON in JSON": (text) => JSON.stringify(JSON.stringify({ text })),
  "as JSON in ASCII": (text) => JSON.stringify(text).replace(/[^ -~]+/g, unitsEscaped),
  "as Go's JSON": (text) => goEscaped(JSON.stringify(text)),
  "as Go's JSON in JSON": (text) => JSON.stringify(goEscaped(JSON.stringify({ text }))),
  "as JSON, escaped throughout": unitsEscaped,
  "as JSON with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "as Python's bytes": (text) =>
    text
      .replaceAll("\\", "\\\\")
      .replaceAll("'", "\\'")
      .replace(/[^ -~]+/gu, (part) => bytesEscaped(part, "\\x")),
  "as a part of a URI": (text) => encodeURIComponent(text),
  "as a part of a URI in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  "as a form": (text) => new URLSearchParams({ text }).toString(),
  "as a URI, escaped throughout": (text) => bytesEscaped(text, "%"),
  "as HTML": htmlEscaped,
  "as HTML by numbers": (text) => text.replace(/./gsu, (letter) => `&#${letter.codePointAt(0)};`),
  "as HTML in a part of a URI": (text) => encodeURIComponent(htmlEscaped(text)),
  "as JSON in a part of a URI": (text) => encodeURIComponent(JSON.stringify(text)),
  "as a part of a URI in JSON in HTML": (text) => htmlEscaped(JSON.stringify({ url: encodeURI(text) })),
  "as Base64": (text) => Buffer.from(text).toString("base64"),
  "as Base64, shifted by 1": (text) => Buffer.from(`:${text}.`).toString("base64"),
  "as Base64, shifted by 2": (text) => Buffer.from(`u:${text}`).toString("base64"),
  "as Base64 for URIs": (text) => Buffer.from(text).toString("base64url"),
  "as Base64 in a part of a URI": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
  "as Base64 of Go's JSON": (text) => Buffer.from(goEscaped(JSON.stringify({ text }))).toString("base64"),
  "as hexadecimal": (text) => Buffer.from(text).toString("hex"),
};

/** How a server may spread what it was sent; a form of a few characters isn't known again there. */
export const spreadings: Readonly<Record<string, (text: string) => string>> = {
  "as Base64 in lines of 64": (text) => inLines(Buffer.from(text).toString("base64"), 64, "\n"),
  "as Base64 in lines of 76": (text) => inLines(Buffer.from(`:${text}`).toString("base64"), 76, "\r\n"),
  "as Base64 in lines, in JSON": (text) =>
    JSON.stringify({ text: inLines(Buffer.from(text).toString("base64"), 64, "\n") }),
  "as Base64 in lines, in JSON in JSON": (text) =>
    JSON.stringify(JSON.stringify(inLines(Buffer.from(`u:${text}`).toString("base64"), 76, "\r\n"))),
  "as Base64 in lines that became blanks": (text) =>
    inLines(Buffer.from(text).toString("base64url"), 64, "  "),
  "as hexadecimal in lines": (text) => inLines(Buffer.from(text).toString("hex"), 64, "\n"),
  "as hexadecimal with blanks": (text) => inLines(Buffer.from(text).toString("hex"), 2, " "),
  "as hexadecimal with colons": (text) => inLines(Buffer.from(text).toString("hex").toUpperCase(), 2, ":"),
  "as hexadecimal with hyphens": (text) => inLines(Buffer.from(text).toString("hex").toUpperCase(), 2, "-"),
  "in lines": (text) => inLines(text, 5, "\r\n"),
  "in lines that became blanks": (text) => inLines(text, 7, " "),
  "with characters that aren't seen": (text) => inLines(text, 3, "\u200b"),
  "with control characters": (text) => inLines(text, 5, "\0\u0007"),
  "with control characters, in JSON": (text) => JSON.stringify(inLines(text, 5, "\0\t")),
};

/** As Go's `encoding/json` writes it if nothing else is asked for (its `HTMLEscape`). */
function goEscaped(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, unitsEscaped);
}

function unitsEscaped(text: string): string {
  return text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function bytesEscaped(text: string, mark: string): string {
  return Buffer.from(text).toString("hex").replace(/../g, `${mark}$&`);
}

function htmlEscaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function inLines(text: string, length: number, end: string): string {
  return (text.match(new RegExp(`.{1,${length}}`, "gsu")) ?? []).join(end);
}

/** Every canary in every encoding, some together in a text that is short enough to be quoted whole. */
export function echoesOf(canaries: Canaries): string[] {
  return Object.values({ ...encodings, ...spreadings }).flatMap((encode) =>
    inChunks(
      Object.values(canaries).map((value) => encode(value)),
      400,
    ),
  );
}

function inChunks(texts: readonly string[], length: number): string[] {
  const chunks: string[] = [];
  for (const text of texts) {
    const last = chunks.at(-1);
    if (last === undefined || last.length + text.length > length) chunks.push(text);
    else chunks[chunks.length - 1] = `${last} and ${text}`;
  }
  return chunks;
}
