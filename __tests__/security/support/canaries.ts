/** Secrets that appear nowhere by chance, and a search for them in what a run wrote. */

/** The secrets of a run, by name. */
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

/** These secrets as the `secrets` input. */
export const secretsInput = Object.entries(deploymentSecrets)
  .map(([name, value]) =>
    value.includes("\n") ? `${name}<<END_OF_${name}\n${value}\nEND_OF_${name}` : `${name}=${value}`,
  )
  .join("\n");

/** The secrets of a deploy or preview, and of any run. */
export const deployCanaries: Canaries = { apiKey, githubToken, ...deploymentSecrets };
export const allCanaries: Canaries = { ...deployCanaries, clientSecret, bearerToken };

/**
 * The canaries in a text, and the form in which each is there. Every line of a value counts. None of this code is the
 * action's, so that it finds what the action forgets.
 */
export function leaksIn(text: string, canaries: Canaries = allCanaries): string[] {
  const forms = formsByCanaries.get(canaries) ?? namedForms(canaries);
  formsByCanaries.set(canaries, forms);
  const visibleText = withoutInvisible(text);
  return forms.filter(({ form }) => visibleText.includes(form)).map(({ name }) => name);
}

/** People still recognize what invisible characters break. */
function withoutInvisible(text: string): string {
  return text.replaceAll(/(?![\r\n\t])[\p{Cc}\p{Cf}]/gu, "");
}

interface NamedForm {
  readonly name: string;
  readonly form: string;
}

/** A cache: every run is searched for these forms. */
const formsByCanaries = new WeakMap<Canaries, NamedForm[]>();

function namedForms(canaries: Canaries): NamedForm[] {
  return Object.entries(canaries).flatMap(([name, value]) =>
    piecesOf(value)
      .flatMap(formsOf)
      .map(([how, form]) => ({ name: `${name} ${how}`, form: withoutInvisible(form) })),
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
    ["in Go's JSON", goEscaped(json)],
    ["in a URI", encodeURIComponent(piece)],
    ["in HTML", htmlEscaped(piece)],
    ["in a form", new URLSearchParams({ x: piece }).toString().slice(2)],
    ...alignments,
  ];
}

/** How a server may quote a secret. The action finds all of these forms. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "as JSON": (text) => JSON.stringify(text),
  "as JSON in ASCII": (text) => JSON.stringify(text).replace(/[^ -~]+/g, unitsEscaped),
  "as Go's JSON": (text) => goEscaped(JSON.stringify(text)),
  "as JSON with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "as a part of a URI": (text) => encodeURIComponent(text),
  "as a part of a URI in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  "as a form": (text) => new URLSearchParams({ text }).toString(),
  "as a path of a URL": (text) => new URL(`https://x.example/${encodeURI(text)}`).href,
  "as HTML": htmlEscaped,
  "as HTML with names alone": (text) => htmlEscaped(text).replaceAll("&#39;", "&apos;"),
  "as HTML by numbers": (text) => text.replace(/\W/gsu, (letter) => `&#${letter.codePointAt(0)};`),
  "as HTML by hexadecimal numbers": (text) =>
    text.replace(/\W/gsu, (letter) => `&#x${letter.codePointAt(0)?.toString(16)};`),
  "as Base64": (text) => Buffer.from(text).toString("base64"),
  "as Base64, shifted by 1": (text) => Buffer.from(`:${text}.`).toString("base64"),
  "as Base64, shifted by 2": (text) => Buffer.from(`u:${text}`).toString("base64"),
  "as Base64 for URIs": (text) => Buffer.from(text).toString("base64url"),
};

/** How a server may break a secret by what nobody sees. */
export const invisibleBreaks: Readonly<Record<string, (text: string) => string>> = {
  "with invisible characters": (text) => broken(text, 3, "\u200b"),
  "with control characters": (text) => broken(text, 5, "\0\u0007"),
  "with colours of a terminal": (text) => broken(text, 4, "\u001b[1;36m"),
  "with sequences that select a character set": (text) => broken(text, 5, "\u001b(B\u001b[m"),
  "with titles of a terminal": (text) => broken(text, 4, "\u001b]0;title\u0007"),
  "with sequences of one character": (text) => broken(text, 4, "\u009b0m"),
};

/** Like Go's `encoding/json`: https://pkg.go.dev/encoding/json#HTMLEscape */
function goEscaped(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, unitsEscaped);
}

function unitsEscaped(text: string): string {
  return text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function htmlEscaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function broken(text: string, length: number, end: string): string {
  return (text.match(new RegExp(`.{1,${length}}`, "gsu")) ?? []).join(end);
}

/** Every canary in every encoding, as many together as fit into an excerpt, which is not cut. */
export function echoesOf(canaries: Canaries): string[] {
  return echoes(canaries, Object.values({ ...encodings, ...invisibleBreaks }));
}

/** Every canary as it is, for places that take a run each: what shows a text does not know how it is encoded. */
export function plainEchoesOf(canaries: Canaries): string[] {
  return echoes(canaries, [String]);
}

/** As Python's `rich` prints values, every canary in colours. */
export function colouredEchoesOf(canaries: Canaries): string[] {
  return echoes(canaries, [(text) => broken(text, 2, "\u001b[1;36m")]);
}

const maxExcerptLength = 400;

function echoes(canaries: Canaries, encoders: readonly ((text: string) => string)[]): string[] {
  const texts: string[] = [];
  for (const encode of encoders) {
    let text = "";
    for (const part of Object.values(canaries).map((value) => encode(value))) {
      if (text !== "" && text.length + part.length > maxExcerptLength) texts.push(text);
      text = text === "" || text.length + part.length > maxExcerptLength ? part : `${text} and ${part}`;
    }
    texts.push(text);
  }
  return texts;
}
