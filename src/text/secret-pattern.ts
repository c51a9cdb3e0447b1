import { removeInvisible } from "./sanitize.ts";

/** Shorter forms would be found in text that has nothing to do with the secret. */
const minLength = 4;
/** Shorter forms would be found where two words meet, if blanks between their characters were ignored. */
const minLongLength = 12;
/** The engine's stack overflows with sequences of some 10,000 characters. */
const maxPieceLength = 400;

/** The user name, and usually the password or token, of a URL. In JSON, its slashes may be escaped. */
const userInfos = [
  /(?<=:(?:\\{0,3}\/){2})[^\s/?#@]+(?:@[^\s/?#@"'`<>,;]+)*(?=@)/,
  // With a `/`, `?` or `#`, which should be percent-encoded. A port is no password.
  /(?<=:\/\/)[^\s/?#@:[\]]+:(?!\d*(?:[/?#]|$))[^\s@"'`<>,;]{1,500}(?=@)/,
];

/** The forms of secrets that SECURITY.md names. The text to search must have been through `removeInvisible`. */
interface SecretPatterns {
  /** Matches the long forms in text without blanks and line ends, because logs are wrapped. */
  readonly long: RegExp;
  /** Matches the short forms, and user names and passwords in URLs. */
  readonly short: RegExp;
}

/** All forms of the secrets, the longest first. */
export function secretPatterns(secrets: Iterable<string>): SecretPatterns {
  const forms = [...new Set([...secrets].flatMap(formsOf))]
    .flatMap(piecesOf)
    .filter((form) => form.trim().length >= minLength)
    .toSorted((one, other) => other.length - one.length);
  const isLong = (form: string) => form.replace(/[ \t\r\n]/g, "").length >= minLongLength;
  const long = forms.filter(isLong).flatMap((form) => blanksInLong.map((blank) => sourceOf(form, blank)));
  const short = forms.filter((form) => !isLong(form)).map((form) => sourceOf(form, blankInShort));
  return { long: anyOf(long), short: anyOf([...userInfos.map(({ source }) => source), ...short]) };
}

function anyOf(sources: readonly string[]): RegExp {
  return new RegExp([...new Set(sources)].join("|") || "(?!)", "g");
}

/** A secret as it is, as its text is searched, and both in Base64. */
function formsOf(secret: string): string[] {
  return [secret, removeInvisible(secret)].flatMap((value) => [
    value,
    ...[0, 1, 2].flatMap((shift) => base64Forms(Buffer.from(value), shift)),
  ]);
}

/**
 * The characters that these bytes have in Base64, in both alphabets, if `shift` other bytes stand before them in their
 * group of three. Characters that depend on other bytes too are left out.
 */
function base64Forms(bytes: Buffer, shift: number): string[] {
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  return (["base64", "base64url"] as const).map((alphabet) => shifted.toString(alphabet).slice(first, last));
}

/** A form in parts that the engine takes, one if it isn't very long. */
function piecesOf(form: string): string[] {
  const characters = Array.from(form);
  const count = Math.ceil(characters.length / maxPieceLength);
  const length = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(""),
  );
}

/** A blank, tab or line end in JSON, a URI, a form and HTML. */
const escapedBlank = "(?:\\\\{1,4}[nrt]|%(?:0[9ADad]|20)|\\+|&#(?:9|10|13|32|[xX](?:0?[9aAdD]|20));)";

/** What stands for a blank, a tab or a line end of a secret: nothing, or what JSON escapes of them, or what URIs do. */
const blanksInLong: readonly ((blank: string) => string)[] = [
  () => "",
  (blank) => (blank === " " ? "" : escapedBlank),
  () => escapedBlank,
];
const blankInShort = () => `(?:\\s|${escapedBlank})`;

/** A character with the backslashes before it, which are escaped together: apart, they could be matched in many ways. */
const tokens = /[ \t\r\n]|\\*[^\\ \t\r\n]|\\+/gsu;

function sourceOf(form: string, spellBlank: (blank: string) => string): string {
  return form.replace(tokens, (token) => (/[ \t\r\n]/.test(token) ? spellBlank(token) : spell(token)));
}

/** An expression for a token as it is, and as JSON (also in JSON), URIs and HTML may escape it. */
function spell(token: string): string {
  const character = token.replace(/^\\+/, "");
  const count = token.length - character.length;
  const isPlain = /^\w?$/.test(character);
  const spelled = isPlain
    ? character
    : `(?:${[...escapes(character), character.replace(/\W/g, "\\$&")].join("|")})`;
  if (count === 0) return isPlain ? spelled : `\\\\{0,3}${spelled}`;
  // JSON doubles a backslash, and may put another one before a character that isn't plain.
  const backslashes = `\\\\{${count},${count * 4 + (isPlain ? 0 : 3)}}`;
  return `(?:${backslashes}|(?:\\\\{1,3}u005[cC]|%5[cC]|&#92;|&#[xX]5[cC];){${count}})${spelled}`;
}

const namedReferences = new Map(
  Object.entries({ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" }),
);

/** Expressions for a character in JSON, without the first backslash, in a URI and in HTML. */
function escapes(character: string): string[] {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const code = character.codePointAt(0) ?? 0;
  const name = namedReferences.get(character);
  return [
    units.map((unit) => `u${digits(unit, 4)}`).join("\\\\{1,3}"),
    [...Buffer.from(character)].map((byte) => `%${digits(byte, 2)}`).join(""),
    `&#0{0,4}${code};`,
    `&#[xX]0{0,4}${digits(code, 1)};`,
    ...(name === undefined ? [] : [`&(?:${name}|${name.toUpperCase()});?`]),
  ];
}

/** An expression for hexadecimal digits in any case. */
function digits(value: number, length: number): string {
  const inLowerCase = value.toString(16).padStart(length, "0");
  return inLowerCase.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
