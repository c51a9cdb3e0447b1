// Removes the forms of secrets that SECURITY.md names. The runner masks only some of them, and nothing that goes to GitHub or
// to another step.

import { removeInvisible } from "./sanitize.ts";
import { base64Forms, lineBreak, patternOf } from "./secret-forms.ts";

/** Shorter forms would also be found in text that is unrelated to the secret. */
const minLength = 4;
const lineBreaks = new RegExp(lineBreak, "g");
/** The stack of V8 overflows with expressions of some 10,000 characters. */
const maxPieceLength = 200;

/** The user name, and usually the password or token, of a URL. */
const userInfo = /(?<=:\/\/)[^\s/?#"'<>]+(?=@)/g;

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
  const parts = [...[secret, removeInvisible(secret)].map(longestWord), ...base64Forms(secret)];
  // A backslash before a secret that starts with n looks like a line break, so its first letter may be gone in `unbroken`.
  const marks = parts.map((part) => part.slice(1));
  let pattern: RegExp | undefined;
  return (raw, unbroken) => {
    if (!marks.some((mark) => unbroken.includes(mark))) return [];
    pattern ??= patternOf(secret);
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
