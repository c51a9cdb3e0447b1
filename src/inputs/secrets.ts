import { parseJsonObject } from "../text/json.ts";
import type { InputReader } from "./reader.ts";

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface SecretsInput {
  readonly entries: readonly Secret[];
  /** Names of secrets whose value is wrapped in quotes, which are sent as they stand. */
  readonly quoted: readonly string[];
}

interface Found extends Secret {
  /**
   * Where it stands, such as "line 3". Never content, so of lines not the name either: a line of a private key that
   * was pasted without `<<` and ends in `=` looks like a name.
   */
  readonly place: string;
}

/** What is no secret, and why. */
interface Flaw {
  readonly problem: string;
}

/**
 * The `secrets` input (contract, 3.2): lines of `NAME=value` or `NAME<<DELIMITER`, or one JSON object.
 * Problems are noted in the reader by line number or name, never by content.
 */
export function readSecrets(reader: InputReader): SecretsInput {
  const text = reader.raw("secrets");
  const entries = text.trimStart().startsWith("{") ? readObject(text) : readLines(text);
  const found: Found[] = [];
  const names = new Set<string>();
  for (const entry of entries) {
    for (const problem of problemsOf(entry, names)) reader.refuse("secrets", problem);
    if ("problem" in entry) continue;
    found.push(entry);
    names.add(entry.name);
  }
  return {
    entries: found.map(({ name, value }) => ({ name, value })),
    quoted: found.filter(({ value }) => /^(["']).*\1$/s.test(value)).map(({ name }) => name),
  };
}

function problemsOf(entry: Found | Flaw, namesBefore: ReadonlySet<string>): string[] {
  if ("problem" in entry) return [entry.problem];
  const { name, value, place } = entry;
  if (!isName(name)) {
    return [`has a name that isn't made of letters, digits and _, or starts with a digit (${place})`];
  }
  const problems: string[] = [];
  if (namesBefore.has(name)) problems.push(`gives a name a second time (${place})`);
  if (value === "") {
    problems.push(`gives an empty value (${place}): a secret that doesn't exist comes in empty`);
  }
  if (name.toLowerCase() === "github_token") {
    problems.push(
      `holds github_token (${place}), which toJSON(secrets) adds and which must not leave the run: pass single secrets`,
    );
  }
  return problems;
}

function isName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function readObject(text: string): (Found | Flaw)[] {
  const object = parseJsonObject(text);
  if (object === undefined) return [{ problem: "starts with { but isn't one JSON object" }];
  const entries = Object.entries(object).map(([name, value], index) => {
    const place = isName(name) ? name : `entry ${index + 1}`;
    return typeof value === "string"
      ? { name, value, place }
      : { problem: `has a value that isn't a string (${place})` };
  });
  const repeated = repeatedNames(text).map((name) => ({ problem: `gives a name a second time (${name})` }));
  return [...entries, ...repeated];
}

/** The names that stand twice in an object of strings; `JSON.parse` hides them by keeping the last one. */
function repeatedNames(text: string): string[] {
  const literals = [...text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)/gs)];
  const names = literals
    .filter(([, , colon]) => colon === ":")
    .map(([, literal]) => String(JSON.parse(String(literal))));
  return names.filter((name, index) => isName(name) && names.indexOf(name) < index);
}

function readLines(text: string): (Found | Flaw)[] {
  const lines = text.split(/\r?\n/);
  const entries: (Found | Flaw)[] = [];
  let next = 0;
  for (const [index, line] of lines.entries()) {
    // It belongs to a value of several lines.
    if (index < next) continue;
    const read = readEntry(lines, index, line);
    if (read.entry !== undefined) entries.push(read.entry);
    next = read.next ?? 0;
  }
  return entries;
}

/** The entry that starts at a line; `next`: the line after it, where it takes several. */
function readEntry(
  lines: readonly string[],
  index: number,
  line: string,
): { entry?: Found | Flaw; next?: number } {
  if (line.trim() === "" || line.trimStart().startsWith("#")) return {};
  const place = `line ${index + 1}`;
  const mark = /<<|=/.exec(line);
  if (mark === null) return { entry: { problem: `has no = in ${place}` } };
  const name = line.slice(0, mark.index);
  const rest = line.slice(mark.index + mark[0].length);
  if (mark[0] === "=") return { entry: { name, value: rest, place } };
  const first = index + 1;
  const end = rest === "" ? -1 : lines.indexOf(rest, first);
  if (end === -1) {
    const problem = `opens a value of several lines (<<) that is never closed (${place})`;
    return { entry: { problem }, next: lines.length };
  }
  return { entry: { name, value: lines.slice(first, end).join("\n"), place }, next: end + 1 };
}

/**
 * What to hand to the runner's mask for a secret value: each line, and the whole where the runner (which masks
 * every line of what it is given) wouldn't mask a trifle with it. Nothing shorter than 4 characters and no
 * boolean, which would ruin the log (contract, 3.2; field guide, 1).
 */
export function masksFor(value: string): string[] {
  const lines = value.split(/[\r\n]/).filter((line) => line !== "");
  const worthy = lines.flatMap((line) => [line, line.trim()]).filter(isMaskable);
  const whole = lines.every(isMaskable) && isMaskable(value) ? [value] : [];
  return [...new Set([...whole, ...worthy])];
}

/** Blanks at the ends don't count: the runner masks a line without them, too (runner: AddMaskCommandExtension). */
function isMaskable(text: string): boolean {
  const bare = text.trim();
  return bare.length >= 4 && !/^(true|false)$/i.test(bare);
}
