import { removeInvisible } from "./sanitize.ts";

// Removes the forms of secrets that SECURITY.md names. The runner masks only some of them, and nothing that goes to GitHub or
// to another step.

/** Shorter forms would be found in text that has nothing to do with the secret. */
const minLength = 4;
/** May stand within a long form: line ends with an indentation, or what became of them in one line. */
const lineBreak = "[\\n ]*";
/** Shorter forms would be found where two words meet. */
const minBrokenLength = 12;
/** The engine's stack overflows with expressions of some 10,000 characters. */
const maxPieceLength = 400;

/** The user name, and usually the password or token, of a URL. */
const userInfo = /(?<=:\/\/)[^\s/?#"'<>]+(?=@)/g;

/** How a character may be written in each encoding. Programs differ in what they escape, but letters and digits stay. */
const encodings: Readonly<Record<string, (character: string) => readonly string[]>> = {
  JSON: (character) => [
    JSON.stringify(character).slice(1, -1),
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join(""),
    ...(character === "/" ? ["\\/"] : []),
  ],
  URI: (character) => [
    [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`).join(""),
    ...(character === " " ? ["+"] : []),
    character,
  ],
  HTML: (character) => [
    ...[2, 3].map((digits) => `&#${String(character.codePointAt(0)).padStart(digits, "0")};`),
    `&#x${character.codePointAt(0)?.toString(16)};`,
    ...(htmlNames[character] ?? []),
    character,
  ],
};

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
 * Returns a function that replaces the secrets, and the user names and passwords of URLs. Invisible characters go first:
 * removed later, they would put a secret together again.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  // A secret may be a part of a longer one.
  const longestFirst = [...new Set(secrets)].toSorted((one, other) => other.length - one.length);
  const patterns = [...longestFirst.flatMap(piecesOf).map(patternOf), userInfo];
  return (text) => patterns.reduce((rest, pattern) => rest.replace(pattern, hide), removeInvisible(text));
}

/** Returns what replaces a secret: what the runner shows for it in the log. Its line ends stay where they are. */
function hide(secret: string): string {
  return secret.replace(/.+/g, "***");
}

/** Returns a secret in parts of about the same length: one, unless it is very long. None if it is too short. */
function piecesOf(secret: string): string[] {
  if (removeInvisible(secret).trim().length < minLength) return [];
  const characters = Array.from(secret);
  const count = Math.ceil(characters.length / maxPieceLength);
  const length = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(""),
  );
}

/** Finds a secret in each of its forms, in a text that has been through `removeInvisible`. */
function patternOf(secret: string): RegExp {
  const encoded = Object.values(encodings).map((waysToWrite) =>
    Array.from(secret, (character) => (/\w/.test(character) ? character : oneOf(waysToWrite(character)))),
  );
  // Spaces beside spaces could be matched in many ways.
  const mayBreak = !/\s/.test(secret);
  const forms = [Array.from(removeInvisible(secret), literal), ...encoded];
  const inBase64 = [0, 1, 2].flatMap((shift) => base64Forms(secret, shift));
  const expressions = [
    ...forms.map((characters) => joinedForm(characters, mayBreak)),
    ...inBase64.map((form) => joinedForm(Array.from(form, literal), true)),
  ];
  return new RegExp(expressions.join("|"), "g");
}

/** Returns the characters of a form. Programs break long texts, such as Base64, into lines. */
function joinedForm(characters: readonly string[], mayBreak: boolean): string {
  return characters.join(mayBreak && characters.length >= minBrokenLength ? lineBreak : "");
}

/**
 * Matches the texts as they look after `removeInvisible`, with hexadecimal digits in any case. Not by the modifier `(?i:)`:
 * with many of them in a long expression, Node 24 misses texts.
 */
function oneOf(texts: readonly string[]): string {
  const inAnyCase = (text: string) =>
    literal(text).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:${texts.map((text) => inAnyCase(removeInvisible(text))).join("|")})`;
}

/** Matches a text. `RegExp.escape` would write letters as numbers, in which the case can't be left open. */
function literal(text: string): string {
  return text.replace(/\W/g, "\\$&");
}

/**
 * Returns the characters that a secret has in Base64, in both alphabets, if `shift` other bytes stand before them in their
 * group of three. Characters that depend on other bytes too are left out.
 */
function base64Forms(secret: string, shift: number): string[] {
  const bytes = Buffer.from(secret);
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  return (["base64", "base64url"] as const)
    .map((alphabet) => shifted.toString(alphabet).slice(first, last))
    .filter(({ length }) => length >= minLength);
}

export interface RunSecrets {
  /** The credentials of the action itself, which nothing may contain. */
  readonly credentials: readonly string[];
  /** The values that an ID or a URL may contain by chance. */
  readonly values: readonly string[];
}

/** Removes a run's secrets, of which the run may learn more while it runs. Line ends stay where they are. */
export interface RunRedactor {
  text(text: string): string;
  /**
   * Redacts IDs, names and URLs that are used later: without the run's credentials, and without those values of `secrets`
   * that can't be there by chance. Some values are no secrets, such as a region, and a URL may well contain them.
   */
  value(text: string): string;
  /** Adds credentials of the run. */
  add(secrets: readonly string[]): void;
  /** Adds what may be secret in texts alone. Short values are left out: they are often ordinary words. */
  addToTexts(values: readonly string[]): void;
}

/** Shorter values are often ordinary words, which an id or a URL contains by chance. */
const minDistinctiveLength = 12;

/** Returns the redactor of a run. `shown`: what the run shows anyway, so that a value in it is not secret in an id or a URL. */
export function createRunRedactor(secrets: RunSecrets, shown: readonly string[]): RunRedactor {
  const isDistinctive = (value: string) =>
    value.length >= minDistinctiveLength && !shown.some((text) => text.includes(value));
  const distinctive = secrets.values.filter(isDistinctive);
  const inTexts = new Set(secrets.values);
  let credentials = secrets.credentials;
  const create = () => ({
    all: createRedactor([...credentials, ...inTexts]),
    distinctive: createRedactor([...credentials, ...distinctive]),
  });
  let current = create();
  return {
    text: (text) => current.all(text),
    value: (text) => current.distinctive(text),
    add: (added) => {
      credentials = [...credentials, ...added];
      current = create();
    },
    addToTexts: (values) => {
      const before = inTexts.size;
      for (const value of values.filter(isDistinctive)) inTexts.add(value);
      if (inTexts.size > before) current = create();
    },
  };
}
