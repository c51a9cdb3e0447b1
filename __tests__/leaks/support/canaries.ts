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
  return known.filter(([, form]) => text.includes(form)).map(([name]) => name);
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
    ["in a URI", encodeURIComponent(piece)],
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
  "as JSON in ASCII": (text) =>
    JSON.stringify(text).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  "as a part of a URI": (text) => encodeURIComponent(text),
  "as a part of a URI in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  "as a form": (text) => new URLSearchParams({ text }).toString(),
  "as HTML": (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
  "as Base64": (text) => Buffer.from(text).toString("base64"),
  "as Base64, shifted by 1": (text) => Buffer.from(`:${text}.`).toString("base64"),
  "as Base64, shifted by 2": (text) => Buffer.from(`u:${text}`).toString("base64"),
  "as Base64 for URIs": (text) => Buffer.from(text).toString("base64url"),
  "as hexadecimal": (text) => Buffer.from(text).toString("hex"),
};

/** Every canary in every encoding, some together in a text that is short enough to be quoted whole. */
export function echoesOf(canaries: Canaries): string[] {
  return Object.values(encodings).flatMap((encode) =>
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
