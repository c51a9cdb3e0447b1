import { lstat, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { inputError } from "../inputs/input-error.ts";
import { code, quote, text } from "../text/message.ts";
import { inWorkspace, type SourceFolder } from "./source-files.ts";

/** Whether a `.dockerignore` file leaves out a path, which is relative to its folder. */
type DockerIgnore = (path: string) => boolean;

interface Pattern {
  /** Whether the pattern begins with `!`. */
  readonly isException: boolean;
  readonly matches: (path: string) => boolean;
}

/** The rules of a folder's `.dockerignore`, as Docker reads it; a line that Docker can't read is an input error. */
export async function readDockerIgnore({ path: folder, workspace }: SourceFolder): Promise<DockerIgnore> {
  const file = join(folder, ".dockerignore");
  const entry = await lstat(file).catch(() => undefined);
  if (!entry?.isFile()) return () => false;
  const content = await readFile(file, "utf8");
  const lines = content.replace(/^\ufeff/, "").split("\n");
  const patterns = lines.flatMap((line, index) => {
    if (line.startsWith("#") || line.trim() === "") return [];
    try {
      return readPattern(line.trim());
    } catch {
      const place = { path: inWorkspace(file, workspace), line: index + 1 };
      const problem = text`must be a folder whose ${code(".dockerignore")} Docker can read, but line ${index + 1} of it is not a pattern: ${quote(line.trim(), 200)}`;
      const hint = text`Correct the line. Each ${code("[")} needs a ${code("]")}, and a literal one a ${code("\\")} before it.`;
      throw inputError([{ input: "source_path", problem, place, hint }]);
    }
  });
  return (path) => {
    const folders = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
    const last = patterns.findLast(({ matches }) => matches(path) || folders.some(matches));
    return last?.isException === false;
  };
}

/**
 * Reads a line as https://github.com/moby/patternmatcher/blob/main/ignorefile/ignorefile.go does. Throws if Docker refuses it.
 */
function readPattern(line: string): Pattern {
  const isException = line.startsWith("!");
  const given = line.slice(isException ? 1 : 0).trim();
  if (given === "") throw new SyntaxError("no pattern");
  const pattern = posix
    .normalize(given)
    .replace(/(.)\/$/, "$1")
    .replace(/^\/(.)/, "$1");
  return { isException, matches: matcherOf(pattern) };
}

/** The places of a path at which a part of a pattern can end, if it begins at `start`. */
type Part = (path: string, start: number) => number[];

const partOf = /\*\*\/?|\*|\?|\[\^?(?:\\.|[^\]\\])+\]|(?:\\.|[^*?[\\])+/gsu;

/**
 * Whether a pattern matches a path (https://github.com/moby/patternmatcher/blob/main/patternmatcher.go). As one regular
 * expression, `*a*a*a*a*b` could take hours.
 */
function matcherOf(pattern: string): (path: string) => boolean {
  // Docker takes `**.log` for the end of a path.
  const [, end] = /^\*\*([^*?[\\]*)$/.exec(pattern) ?? [];
  if (end !== undefined) return (path) => `/${path}`.endsWith(end);
  const words = pattern.match(partOf) ?? [];
  if (words.join("") !== pattern) throw new SyntaxError("a bracket or backslash that is not closed");
  const parts = words.map((word, index) => readPart(word, index === words.length - 1));
  return (path) => {
    let reached = [0];
    for (const part of parts) reached = [...new Set(reached.flatMap((start) => part(path, start)))];
    return reached.includes(path.length);
  };
}

function readPart(word: string, isLast: boolean): Part {
  if (word === "*") return (path, start) => placesFrom(start, `${path}/`.indexOf("/", start));
  if (word.startsWith("**")) {
    if (isLast) return (path) => [path.length];
    return (path, start) => [
      start,
      ...placesFrom(start + 1, path.length).filter((place) => path[place - 1] === "/"),
    ];
  }
  if (word === "?") return oneCharacter("[^/]");
  if (word.startsWith("[")) return oneCharacter(word);
  const literal = word.replaceAll(/\\(.)/gsu, "$1");
  return (path, start) => (path.startsWith(literal, start) ? [start + literal.length] : []);
}

function oneCharacter(expression: string): Part {
  const character = new RegExp(expression, "suy");
  return (path, start) => {
    character.lastIndex = start;
    return character.test(path) ? [character.lastIndex] : [];
  };
}

function placesFrom(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
