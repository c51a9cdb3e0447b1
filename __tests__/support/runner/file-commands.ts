/**
 * How the runner reads `GITHUB_OUTPUT`, `GITHUB_STATE` and `GITHUB_ENV`:
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/FileCommandManager.cs
 */

export interface FileCommandEntry {
  readonly name: string;
  readonly value: string;
}

export interface FileCommands {
  /** In the order in which they were written; a name may appear several times. */
  readonly entries: readonly FileCommandEntry[];
  /** Why the rest of the file was not read. It fails the step. */
  readonly error: string | undefined;
}

interface Line {
  readonly text: string;
  /** Where the next line starts. */
  readonly next: number;
  readonly ended: boolean;
}

/** On Linux only `\n` ends a line: the `\r` of `\r\n` belongs to the value. */
function lineAt(text: string, start: number): Line | undefined {
  if (start >= text.length) return undefined;
  const end = text.indexOf("\n", start);
  return end < 0
    ? { text: text.slice(start), next: text.length, ended: false }
    : { text: text.slice(start, end), next: end + 1, ended: true };
}

class FileCommandError extends Error {}

/** The value of several lines up to its delimiter, and where the next entry starts. */
function heredoc(text: string, from: number, delimiter: string): { value: string; next: number } {
  let line = lineAt(text, from);
  let end = from;
  let start = from;
  while (line !== undefined && line.text !== delimiter) {
    if (!line.ended) throw new FileCommandError("Invalid value. EOF marker missing new line.");
    start = line.next;
    end = start - 1;
    line = lineAt(text, start);
  }
  if (line === undefined)
    throw new FileCommandError(`Invalid value. Matching delimiter not found '${delimiter}'`);
  return { value: text.slice(from, Math.max(from, end)), next: line.next };
}

function entryAt(text: string, line: Line): FileCommandEntry & { next: number } {
  const equals = line.text.indexOf("=");
  const marker = line.text.indexOf("<<");
  if (equals > 0 && (marker < 0 || equals < marker))
    return { name: line.text.slice(0, equals), value: line.text.slice(equals + 1), next: line.next };
  if (marker < 0 || equals === 0) throw new FileCommandError(`Invalid format '${line.text}'`);
  const name = line.text.slice(0, marker);
  const delimiter = line.text.slice(marker + 2);
  if (name === "" || delimiter === "")
    throw new FileCommandError(`Invalid format '${line.text}'. Name and delimiter must not be empty`);
  return { name, ...heredoc(text, line.next, delimiter) };
}

/** Reads entries `NAME=value` and `NAME<<DELIMITER`. What stands before an error counts. */
export function parseFileCommands(text: string): FileCommands {
  const entries: FileCommandEntry[] = [];
  try {
    let line = lineAt(text, 0);
    while (line !== undefined) {
      let next = line.next;
      if (line.text !== "") {
        const entry = entryAt(text, line);
        entries.push({ name: entry.name, value: entry.value });
        next = entry.next;
      }
      line = lineAt(text, next);
    }
    return { entries, error: undefined };
  } catch (error) {
    if (error instanceof FileCommandError) return { entries, error: error.message };
    throw error;
  }
}

/** The last value of each name. */
export function lastOfEach(entries: readonly FileCommandEntry[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}
