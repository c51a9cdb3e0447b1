// The forms of a secret in a text that has been through `removeInvisible`.

import { removeInvisible } from "./sanitize.ts";

/**
 * Matches line ends and indentation within a long form: as they are, as spaces in one line, or escaped as in JSON,
 * maybe several times. Without a limit, a long run of backslashes would be read again from each of them.
 */
export const lineBreak = "[\\n ]*(?:\\\\{1,8}[nrt][\\n ]*)*";
/** Shorter forms with line breaks would also be found where two unrelated words meet. */
const minBrokenLength = 12;

/** Returns an expression that finds a secret in each of its forms. */
export function patternOf(secret: string): RegExp {
  const encode = (waysToWrite: (character: string) => readonly string[], before = "") =>
    Array.from(secret, (character) =>
      /\w/.test(character) ? character : `${before}${oneOf(waysToWrite(character))}`,
    );
  // JSON within JSON, for example, escapes the backslashes too.
  const encoded = [encode(waysInJson, "\\\\{0,6}"), encode(waysInUri), encode(waysInHtml)];
  const forms = [Array.from(removeInvisible(secret), literal), ...encoded];
  // Optional spaces beside the secret's own could match in so many ways that the search takes too long.
  const hasSpaces = /\s/.test(secret);
  const expressions = [
    ...forms.map((characters) => (hasSpaces ? characters.join("") : joinBreakable(characters))),
    ...base64Forms(secret).map((form) => joinBreakable(Array.from(form, literal))),
  ];
  return new RegExp(expressions.join("|"), "g");
}

/**
 * Returns a secret in both alphabets of Base64, for each number of other bytes before it in its group of three. Characters that
 * also depend on other bytes are left out.
 */
export function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    return (["base64", "base64url"] as const).map((alphabet) =>
      shifted.toString(alphabet).slice(first, last),
    );
  });
}

/** Joins the characters of a form. Programs break long texts, such as Base64, into lines. */
function joinBreakable(characters: readonly string[]): string {
  return characters.join(characters.length >= minBrokenLength ? lineBreak : "");
}

// The ways to write a character in an encoding. Programs escape different characters, but no letters and digits.

/** Python and Node.js print a text in quotes of one kind, and escape only that kind. */
function waysInJson(character: string): readonly string[] {
  const codes = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return [
    JSON.stringify(character).slice(1, -1),
    codes.map((code) => `\\u${hex(code, 4)}`).join(""),
    ...(/["'/]/.test(character) ? [character, `\\${character}`] : []),
  ];
}

function waysInUri(character: string): readonly string[] {
  const bytes = [...Buffer.from(character)];
  return [bytes.map((byte) => `%${hex(byte, 2)}`).join(""), ...(character === " " ? ["+"] : []), character];
}

function waysInHtml(character: string): readonly string[] {
  const codePoint = character.codePointAt(0) ?? 0;
  return [
    ...[2, 3].map((digits) => `&#${String(codePoint).padStart(digits, "0")};`),
    `&#x${codePoint.toString(16)};`,
    ...(htmlNames[character] ?? []),
    character,
  ];
}

const htmlNames: Readonly<Record<string, readonly string[]>> = {
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;"],
  "'": ["&apos;"],
};

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, "0");
}

/**
 * Returns an expression for any of the texts after `removeInvisible`, with hexadecimal digits in any case. Not by the
 * modifier `(?i:)`: with many of them in a long expression, Node 24.21 missed matches.
 */
function oneOf(texts: readonly string[]): string {
  const inAnyCase = (value: string) =>
    literal(value).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:${texts.map((value) => inAnyCase(removeInvisible(value))).join("|")})`;
}

/** Returns an expression for a text. `RegExp.escape` would write the first letter as a code, in which its case is fixed. */
function literal(value: string): string {
  return value.replace(/\W/g, "\\$&");
}
