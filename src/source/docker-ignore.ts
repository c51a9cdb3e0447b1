import { lstat, readFile } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { inputError } from "../inputs/input-error.ts";
import { code, quote, text } from "../text/message.ts";
import { readError, type SourceFolder } from "./source-files.ts";

/** Whether a `.dockerignore` file leaves out a path, which is relative to its folder. */
export type DockerIgnore = (path: string) => boolean;

interface Pattern {
  /** Whether it begins with `!`. */
  readonly isException: boolean;
  readonly matches: (path: string) => boolean;
}

/** The rules of a folder's `.dockerignore`, as Docker reads it; a line that Docker can't read is an input error. */
export async function readDockerIgnore({ path: folder, workspace }: SourceFolder): Promise<DockerIgnore> {
  const file = join(folder, ".dockerignore");
  const entry = await lstat(file).catch(() => undefined);
  if (!entry?.isFile()) return () => false;
  const content = await readFile(file, "utf8").catch((cause: unknown) => {
    throw readError(".dockerignore", cause);
  });
  const lines = content.replace(/^\ufeff/, "").split("\n");
  return ignoreBy(
    lines.flatMap((line, index) => {
      const pattern = readPattern(line);
      if (pattern !== "unreadable") return pattern ?? [];
      throw inputError([
        {
          input: "source_path",
          problem: text`must be a folder whose ${code(".dockerignore")} Docker can read, but line ${index + 1} of it is not a pattern: ${quote(line.trim(), 200)}`,
          place: { path: relative(workspace, file).replaceAll(sep, "/"), line: index + 1 },
          hint: text`Correct the line. Each ${code("[")} needs a ${code("]")}, and a literal one a ${code("\\")} before it.`,
        },
      ]);
    }),
  );
}

/** https://github.com/moby/patternmatcher/blob/main/patternmatcher.go (MatchesUsingParentResults) */
function ignoreBy(patterns: readonly Pattern[]): DockerIgnore {
  const folders = new Map<string, readonly boolean[]>([[".", patterns.map(() => false)]]);
  const matchesOf = (path: string): readonly boolean[] => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const around = matchesOfFolder(posix.dirname(path));
    let isIgnored = false;
    return patterns.map(({ isException, matches }, index) => {
      const isMatch = around[index] || (isException === isIgnored && matches(path));
      if (isMatch) isIgnored = !isException;
      return isMatch;
    });
  };
  const matchesOfFolder = (path: string) => {
    const found = matchesOf(path);
    folders.set(path, found);
    return found;
  };
  return (path) => patterns[matchesOf(path).lastIndexOf(true)]?.isException === false;
}

/** https://github.com/moby/patternmatcher/blob/main/ignorefile/ignorefile.go; undefined for a line without a pattern. */
function readPattern(line: string): Pattern | "unreadable" | undefined {
  if (line.startsWith("#") || line.trim() === "") return undefined;
  const [, mark, given = ""] = /^(!?)(.*)$/s.exec(line.trim()) ?? [];
  const pattern =
    given.trim() &&
    posix
      .normalize(given.trim())
      .replace(/(.)\/$/, "$1")
      .replace(/^\/(.)/, "$1");
  const matches = pattern === "" ? undefined : matcherOf(pattern);
  return matches === undefined ? "unreadable" : { isException: mark === "!", matches };
}

/** A part of a pattern; `matches`: one character. */
type Part =
  | { readonly kind: "one" | "some"; readonly matches: (character: string) => boolean }
  | { readonly kind: "folders" | "rest" };

const inName = (character: string) => character !== "/";
const partOf = /\*\*\/?|\*|\?|\[\^?(?:\\.|[^\]\\])+\]|\\.|[^[\\]/gsu;

/** Whether a pattern matches a path, in a time that grows with the product of their lengths; undefined if it is invalid. */
function matcherOf(pattern: string): ((path: string) => boolean) | undefined {
  const [, end] = /^\*\*([^*?[\\]*)$/.exec(pattern) ?? [];
  // Docker takes `**.log` for the end of a path.
  if (end !== undefined) return (path) => path.endsWith(end) || `/${path}` === end;
  const words = pattern.match(partOf) ?? [];
  if (words.join("") !== pattern) return undefined;
  const parts: Part[] = [];
  for (const [index, word] of words.entries()) {
    const part = readPart(word, index === words.length - 1);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return (path) => {
    const characters = [...path];
    let reached = [0];
    for (const part of parts) {
      reached = advance(part, reached, characters);
      if (reached.length === 0) return false;
    }
    return reached.at(-1) === characters.length;
  };
}

function readPart(word: string, isLast: boolean): Part | undefined {
  if (word.startsWith("**")) return { kind: isLast ? "rest" : "folders" };
  if (word === "*") return { kind: "some", matches: inName };
  if (word === "?") return { kind: "one", matches: inName };
  if (word.startsWith("[")) return readClass(word);
  const literal = word.replace(/^\\(?=.)/s, "");
  return { kind: "one", matches: (character) => character === literal };
}

/** Characters and ranges in brackets. */
function readClass(word: string): Part | undefined {
  const isNegated = word.startsWith("[^");
  const inside = word.slice(isNegated ? 2 : 1, -1);
  const ranges = [...inside.matchAll(/(?:\\(.)|([^\\-]))(?:-(?:\\(.)|([^\\-])))?/gsu)].map(
    ([text, escaped, first = escaped ?? "", escapedLast, last = escapedLast ?? first]) => ({
      text,
      first,
      last,
    }),
  );
  const isRead = ranges.map(({ text }) => text).join("") === inside;
  if (!isRead || ranges.some(({ first, last }) => first > last)) return undefined;
  const isIn = (character: string) =>
    ranges.some(({ first, last }) => first <= character && character <= last);
  return { kind: "one", matches: (character) => isIn(character) !== isNegated };
}

/** The places in a path that a part leads to from these, in order. */
function advance(part: Part, from: readonly number[], path: readonly string[]): number[] {
  if (part.kind === "one") {
    return from.flatMap((at) => {
      const character = path[at];
      return character !== undefined && part.matches(character) ? at + 1 : [];
    });
  }
  const starts = new Set(from);
  const [first = 0] = from;
  const reached: number[] = [];
  for (let at = first; at <= path.length; at++) {
    const before = path[at - 1] ?? "";
    const isReached =
      part.kind === "some"
        ? reached.at(-1) === at - 1 && part.matches(before)
        : part.kind === "rest" || before === "/";
    if (starts.has(at) || (at > first && isReached)) reached.push(at);
  }
  return reached;
}
