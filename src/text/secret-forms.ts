import { sanitizeLine } from "./sanitize.ts";

/** A form shorter than this would turn up in text that has nothing to do with the secret (contract, 3.2). */
const minForm = 4;
/** One shorter than this would turn up where two ordinary words meet, if blanks didn't count. */
const minSpread = 12;
/** What a form may be spread with: where it is broken into lines, these became blanks, and what isn't seen. */
export const filler = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** What is looked for where a secret may be quoted; all escapes that hold it are undone before. */
export interface Forms {
  /** As they stand. */
  readonly exact: readonly string[];
  /** Without filler, in what is left of a text without it. */
  readonly spread: readonly string[];
  /** The same, and marks between bytes don't count either. */
  readonly hexadecimal: readonly string[];
}

/** The forms of all secrets, each once. */
export function formsOf(secrets: readonly string[]): Forms {
  const hexadecimal = distinct(secrets.flatMap(hexadecimalForms));
  const others = distinct(secrets.flatMap((secret) => [...plainForms(secret), ...base64Forms(secret)]));
  return {
    exact: [...hexadecimal, ...others].filter((form) => form.length >= minForm && !canBeSpread(form)),
    spread: distinct(others.filter(canBeSpread).map(withoutFiller)),
    hexadecimal: hexadecimal.filter(canBeSpread),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function canBeSpread(form: string): boolean {
  return withoutFiller(form).length >= minSpread;
}

function withoutFiller(text: string): string {
  return text.replace(filler, "");
}

/** As it is, as bytes and back, in one line, and with its blanks as HTML forms encode them. */
function plainForms(secret: string): string[] {
  return [secret, secret.toWellFormed(), sanitizeLine(secret), secret.replaceAll(" ", "+")];
}

function hexadecimalForms(secret: string): string[] {
  return encodedTexts(secret).flatMap((text) => {
    const digits = Buffer.from(text).toString("hex");
    return [digits, digits.toUpperCase()];
  });
}

/** In both alphabets, and wherever its bytes begin in the three of a group. */
function base64Forms(secret: string): string[] {
  return encodedTexts(secret).flatMap((text) =>
    [0, 1, 2].flatMap((shift) => base64Cores(Buffer.from(text), shift)),
  );
}

/** Only the characters that follow from these bytes alone, whatever stands around them. */
function base64Cores(bytes: Buffer, shift: number): string[] {
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const core = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .slice(first, last);
  return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
}

/**
 * What of a secret may stand in Base64 or hexadecimal: itself, or JSON that holds it, once or twice, as JavaScript,
 * Python, PHP or Go writes it. Escapes inside of these aren't undone, so each is a form of its own.
 */
function encodedTexts(secret: string): string[] {
  const once = json(secret);
  const ascii = once.replace(/[^\0-\x7f]/g, escaped);
  const go = once.replace(/[<>&\u2028\u2029]/g, escaped);
  const others = [once.replaceAll("/", "\\/"), json(once), json(ascii), json(go)];
  return distinct([secret, sanitizeLine(secret), once, ascii, go, ...others]);
}

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
