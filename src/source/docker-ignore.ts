import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { type Failure, toError } from "../errors.ts";
import { inputFailure } from "../input-problem.ts";
import { code, type Message, type Phrase, phrase, quote, quoteSentence, text } from "../text/message.ts";
import { readInWorkspace, relativeToWorkspace, type SourceFolder } from "./source-folder.ts";

const fileName = ".dockerignore";

/**
 * Reads a folder's `.dockerignore`, as Docker does. Returns whether it leaves out a path, which is relative to the folder.
 *
 * @throws Failure if Docker can't read it
 */
export async function readDockerIgnore(source: SourceFolder): Promise<(path: string) => boolean> {
  if (!existsSync(join(source.path, fileName))) return () => false;
  const content = await readInWorkspace(source, fileName).catch((thrown: unknown) => {
    const hint = text`Make it a file, or a link to one in the workspace.`;
    throw refusedFailure(source, quoteSentence(toError(thrown).message), hint);
  });
  const lines = content.replace(/^\ufeff/, "").split("\n");
  const patterns = lines.flatMap((line, index) => {
    if (line.startsWith("#") || line.trim() === "") return [];
    try {
      return readPattern(line.trim());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const reason = phrase`line ${index + 1} is not a pattern: ${quote(line.trim(), 200)}`;
      const hint = text`Correct or remove the line. A literal ${code("[")}, and a literal ${code("-")} within brackets, needs a ${code("\\")} before it.`;
      throw refusedFailure(source, reason, hint, index + 1);
    }
  });
  return (path) => patterns.findLast(({ expression }) => expression.test(path))?.isException === false;
}

function refusedFailure(source: SourceFolder, reason: Phrase, hint: Message, line?: number): Failure {
  const place = { path: posix.join(relativeToWorkspace(source), fileName), line };
  const problem = phrase`can't be read by Docker: ${reason}`;
  return inputFailure([{ input: "source_path", subject: code(place.path), problem, place, hint }]);
}

/**
 * Reads a line as https://github.com/moby/patternmatcher/blob/main/ignorefile/ignorefile.go does.
 *
 * @throws SyntaxError if Docker refuses it
 */
function readPattern(line: string): { readonly isException: boolean; readonly expression: RegExp } {
  const isException = line.startsWith("!");
  const written = line.slice(isException ? 1 : 0).trim();
  if (written === "") throw new SyntaxError("no pattern");
  const pattern = posix
    .normalize(written)
    .replace(/(.)\/$/, "$1")
    .replace(/^\/(.)/, "$1");
  return { isException, expression: new RegExp(`^${expressionOf(pattern)}(/|$)`, "su") };
}

/** In a class, `-` stands between the two ends of a range, or Go refuses it: https://pkg.go.dev/path/filepath#Match */
const partOf = /\*\*\/?|\*|\?|\[(?:\^|(?!\^))(?:(?:\\.|[^\]\\-])(?:-(?:\\.|[^\]\\-]))?)+\]|\\.|[^*?[\\]/gsu;

/** Returns the regular expression of a pattern as https://github.com/moby/patternmatcher/blob/main/patternmatcher.go does. */
function expressionOf(pattern: string): string {
  // Docker compares `**.log` only with the end of a path.
  const end = /^\*\*([^/*?[\\][^*?[\\]*)$/.exec(pattern)?.[1];
  if (end !== undefined) return `.*${RegExp.escape(end)}`;
  const parts = pattern.match(partOf) ?? [];
  if (parts.join("") !== pattern) throw new SyntaxError("a bracket or backslash that is not closed");
  return parts
    .map((part, index) => {
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      if (part.startsWith("**")) return index === parts.length - 1 ? ".*" : "(.*/)?";
      // Go takes any escaped character in a class, a Unicode expression only some.
      if (part.startsWith("[")) return part.replace(/\\([^^\]\\-])/g, "$1");
      return RegExp.escape(part.replace("\\", ""));
    })
    .join("");
}
