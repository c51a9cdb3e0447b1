// Removes the forms of secrets that SECURITY.md names. The runner masks only some of them, and nothing that goes to GitHub or
// to another step.

import { removeInvisible } from "./sanitize.ts";

/** Shorter forms would also be found in text that is unrelated to the secret. */
const minLength = 4;
/**
 * Matches line ends and indentation within a long form: as they are, as spaces in one line, or escaped as in JSON,
 * maybe several times. Without a limit, a long run of backslashes would be read again from each of them.
 */
const lineBreak = "[\\n ]*(?:\\\\{1,8}[nrt][\\n ]*)*";
const lineBreaks = new RegExp(lineBreak, "g");
/** Shorter forms with line breaks would also be found where two unrelated words meet. */
const minBrokenLength = 12;
/** The stack of V8 overflows with expressions of some 10,000 characters. */
const maxPieceLength = 200;

/** The user name, and usually the password or token, of a URL. */
const userInfo = /(?<=:\/\/)[^\s/?#"'<>]+(?=@)/g;

/** The ways to write a character in each encoding. Programs escape different characters, but no letters and digits. */
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
 * Returns a function that replaces the secrets, and the user names and passwords of URLs. Invisible characters are removed
 * first, because their removal could complete a secret that was not found.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const finders = [...new Set([...secrets].flatMap(piecesOf))].map(createFinder);
  return (raw) => {
    const visible = removeInvisible(raw);
    const unbroken = visible.replace(lineBreaks, "");
    const found = finders.flatMap((find) => find(visible, unbroken));
    return hideRanges(visible, [...found, ...findRanges(userInfo, visible)]);
  };
}

/**
 * Returns a function that finds a secret. Its expression is made for the first text that may contain it: the expressions of
 * several hundred secrets, such as the lines of keys, take more memory than V8 has for them.
 */
function createFinder(secret: string): (text: string, unbroken: string) => Range[] {
  const inBase64 = [0, 1, 2].flatMap((shift) => base64Forms(secret, shift));
  const parts = [...[secret, removeInvisible(secret)].map(longestWord), ...inBase64];
  // The first character may be gone in `unbroken`: of `\\n` and `nabc`, it has `abc`.
  const marks = parts.map((part) => part.slice(1));
  let pattern: RegExp | undefined;
  return (raw, unbroken) => {
    if (!marks.some((mark) => unbroken.includes(mark))) return [];
    pattern ??= patternOf(secret, inBase64);
    return findRanges(pattern, raw);
  };
}

/** Returns the longest part that all forms but Base64 share. */
function longestWord(secret: string): string {
  return secret.split(/\W+/).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

type Range = readonly [start: number, end: number];

/** Returns where a pattern matches. Its matches may overlap: a secret may repeat a part of itself. */
function findRanges(pattern: RegExp, raw: string): Range[] {
  const ranges: Range[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(raw); match !== null; match = pattern.exec(raw)) {
    ranges.push([match.index, pattern.lastIndex]);
    pattern.lastIndex = match.index + 1;
  }
  return ranges;
}

/** Replaces ranges, which may overlap because secrets do, as the runner does in the log. Line ends stay. */
function hideRanges(raw: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return raw;
  const characters = raw.split("");
  for (const [start, end] of ranges) characters.fill(hidden, start, end);
  const kept = characters.map((character, index) => (raw[index] === "\n" ? "\n" : character));
  return kept.join("").replace(/\uffff+/g, "***");
}

/** Stands for a character of a secret. `removeInvisible` leaves none in a text. */
const hidden = "\uffff";

/** Splits a very long secret into parts of about equal length. Returns none for a secret that is too short. */
function piecesOf(secret: string): string[] {
  if (removeInvisible(secret).trim().length < minLength) return [];
  const characters = Array.from(secret);
  const pieceCount = Math.ceil(characters.length / maxPieceLength);
  const length = Math.ceil(characters.length / pieceCount);
  return Array.from({ length: pieceCount }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(""),
  );
}

/** Finds a secret in each of its forms, in a text that has been through `removeInvisible`. */
function patternOf(secret: string, inBase64: readonly string[]): RegExp {
  const encoded = Object.values(encodings).map((waysToWrite) =>
    Array.from(secret, (character) => (/\w/.test(character) ? character : oneOf(waysToWrite(character)))),
  );
  // Optional spaces beside the secret's own could match in so many ways that the search takes too long.
  const mayBreak = !/\s/.test(secret);
  const forms = [Array.from(removeInvisible(secret), literal), ...encoded];
  const expressions = [
    ...forms.map((characters) => joinedForm(characters, mayBreak)),
    ...inBase64.map((form) => joinedForm(Array.from(form, literal), true)),
  ];
  return new RegExp(expressions.join("|"), "g");
}

/** Joins the characters of a form. Programs break long texts, such as Base64, into lines. */
function joinedForm(characters: readonly string[], mayBreak: boolean): string {
  return characters.join(mayBreak && characters.length >= minBrokenLength ? lineBreak : "");
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

/**
 * Returns a secret in both alphabets of Base64, with `shift` other bytes before it in its group of three. Characters that also
 * depend on other bytes are left out.
 */
function base64Forms(secret: string, shift: number): string[] {
  const bytes = Buffer.from(secret);
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  return (["base64", "base64url"] as const).map((alphabet) => shifted.toString(alphabet).slice(first, last));
}

interface RunSecrets {
  /** The credentials of the action itself, which nothing may contain. */
  readonly credentials: readonly string[];
  /** Values that an ID or a URL may contain by chance. */
  readonly values: readonly string[];
}

/** Removes a run's secrets, to which the run may add. Line ends stay. */
export interface RunRedactor {
  forPeople(text: string): string;
  /**
   * Redacts IDs, names and URLs for programs: credentials, and those values of `secrets` that can't be there by chance. Other
   * values, such as the name of a region, may be a proper part of a URL.
   */
  forPrograms(text: string): string;
  /** Adds credentials of the run. */
  add(secrets: readonly string[]): void;
  /** Adds values that are redacted only for people. Short ones are left out, because they are often ordinary words. */
  addForPeople(values: readonly string[]): void;
}

/** Shorter values are often ordinary words, which an ID or a URL contains by chance. */
const minDistinctiveLength = 12;

/** Returns the redactor of a run. `publicTexts` are shown anyway, so their parts are no secrets in an ID or a URL. */
export function createRunRedactor(secrets: RunSecrets, publicTexts: readonly string[]): RunRedactor {
  const isDistinctive = (value: string) =>
    value.length >= minDistinctiveLength && !publicTexts.some((publicText) => publicText.includes(value));
  const valuesForPrograms = secrets.values.filter(isDistinctive);
  const valuesForPeople = new Set(secrets.values);
  let credentials = secrets.credentials;
  const create = () => ({
    forPeople: createRedactor([...credentials, ...valuesForPeople]),
    forPrograms: createRedactor([...credentials, ...valuesForPrograms]),
  });
  let current = create();
  return {
    forPeople: (raw) => current.forPeople(raw),
    forPrograms: (raw) => current.forPrograms(raw),
    add: (added) => {
      credentials = [...credentials, ...added];
      current = create();
    },
    addForPeople: (values) => {
      const before = valuesForPeople.size;
      for (const value of values.filter(isDistinctive)) valuesForPeople.add(value);
      if (valuesForPeople.size > before) current = create();
    },
  };
}
