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
  readonly expression: RegExp;
}

/** The rules of a folder's `.dockerignore`, as Docker reads it; a line that Docker can't read is an input error. */
export async function readDockerIgnore(source: SourceFolder): Promise<DockerIgnore> {
  const file = join(source.path, ".dockerignore");
  const entry = await lstat(file).catch(() => undefined);
  if (!entry?.isFile()) return () => false;
  const content = await readFile(file, "utf8");
  const lines = content.replace(/^\ufeff/, "").split("\n");
  const patterns = lines.flatMap((line, index) => {
    if (line.startsWith("#") || line.trim() === "") return [];
    try {
      return readPattern(line.trim());
    } catch {
      const place = { path: posix.join(inWorkspace(source), ".dockerignore"), line: index + 1 };
      const problem = text`must be a folder whose ${code(".dockerignore")} Docker can read, but line ${index + 1} of it is not a pattern: ${quote(line.trim(), 200)}`;
      const hint = text`Correct the line. Each ${code("[")} needs a ${code("]")}, and a literal one a ${code("\\")} before it.`;
      throw inputError([{ input: "source_path", problem, place, hint }]);
    }
  });
  return (path) => patterns.findLast(({ expression }) => expression.test(path))?.isException === false;
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
  return { isException, expression: new RegExp(`^${sourceOf(pattern)}(/|$)`, "su") };
}

const partOf = /\*\*\/?|\*|\?|\[\^?(?:\\.|[^\]\\])+\]|\\.|[^*?[\\]/gsu;

/** The regular expression of a pattern, as https://github.com/moby/patternmatcher/blob/main/patternmatcher.go makes it. */
function sourceOf(pattern: string): string {
  // Docker takes `**.log` for the end of a path.
  const [, end] = /^\*\*([^/*?[\\][^*?[\\]*)$/.exec(pattern) ?? [];
  if (end !== undefined) return `.*${literal(end)}`;
  const parts = pattern.match(partOf) ?? [];
  if (parts.join("") !== pattern) throw new SyntaxError("a bracket or backslash that is not closed");
  return parts
    .map((part, index) => {
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      if (part.startsWith("**")) return index === parts.length - 1 ? ".*" : "(.*/)?";
      return part.startsWith("[") ? part : literal(part.replace(/^\\/, ""));
    })
    .join("");
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
