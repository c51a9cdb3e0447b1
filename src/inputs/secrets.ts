import { parseJsonObject } from "../text/json.ts";
import { code, input, type Message, text } from "../text/message.ts";
import type { InputProblem } from "./input-error.ts";
import type { InputReader } from "./reader.ts";

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface SecretsInput {
  readonly entries: readonly Secret[];
  /** Names of the secrets whose value is wrapped in quotes, which are sent too. */
  readonly quoted: readonly string[];
}

interface Entry extends Secret {
  /**
   * Where it is, such as "line 3", or the name in a JSON object. Never the text of a line, not even what looks like a name: a
   * private key that was pasted without `<<` has lines that end in `=`.
   */
  readonly place: Message;
}

type SecretProblem = Omit<InputProblem, "input">;

/** Something that is not a secret. */
type Invalid = Pick<SecretProblem, "problem" | "subject">;

/**
 * The `secrets` input: lines of `NAME=value` and `NAME<<DELIMITER`, or one JSON object (docs/specification.md#secrets).
 * Problems name a line or a secret, never content.
 */
export function readSecrets(reader: InputReader): SecretsInput {
  const value = reader.raw("secrets");
  const parsed = value.trimStart().startsWith("{") ? parseObject(value) : parseLines(value);
  const entries: Entry[] = [];
  const names = new Set<string>();
  for (const entry of parsed) {
    for (const { problem, ...about } of problemsOf(entry, names)) {
      reader.reject("secrets", problem, about);
    }
    if ("problem" in entry) continue;
    entries.push(entry);
    names.add(entry.name);
  }
  return {
    entries: entries.map(({ name, value }) => ({ name, value })),
    quoted: entries.filter(({ value }) => /^(["']).*\1$/s.test(value)).map(({ name }) => name),
  };
}

function problemsOf(entry: Entry | Invalid, earlierNames: ReadonlySet<string>): SecretProblem[] {
  if ("problem" in entry) return [entry];
  const { name, value, place } = entry;
  if (!isName(name)) {
    const problem = text`has a name that is not made of letters, digits and ${code("_")}, or starts with a digit (${place})`;
    return [{ problem }];
  }
  const problems: SecretProblem[] = [];
  if (earlierNames.has(name)) problems.push({ problem: duplicateName(place) });
  if (value === "") {
    const cause = text`GitHub passes an empty string for a secret that does not exist`;
    problems.push({ problem: text`has an empty value (${place}). ${cause}`, empty: "secret" });
  }
  if (name.toLowerCase() === "github_token") {
    const problem = text`contains ${code("github_token")} (${place}), which ${code("toJSON(secrets)")} adds and which must not leave the run. List the secrets individually`;
    problems.push({ problem });
  }
  return problems;
}

function duplicateName(place: Message): Message {
  return text`has the same name twice (${place})`;
}

function isName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function parseObject(json: string): (Entry | Invalid)[] {
  const object = parseJsonObject(json);
  if (object === undefined) return [{ problem: text`starts with { but is not a JSON object` }];
  const entries = Object.entries(object).map(([name, value], index) => {
    const place = isName(name) ? text`${code(name)}` : text`entry ${index + 1}`;
    return typeof value === "string"
      ? { name, value, place }
      : { problem: text`has a value that is not a string (${place})` };
  });
  return [
    ...entries,
    ...repeatedNames(json).map((name) => ({ problem: duplicateName(text`${code(name)}`) })),
  ];
}

/** The names that an object of strings holds twice: `JSON.parse` drops all but the last. */
function repeatedNames(json: string): string[] {
  const literals = [...json.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)/gs)];
  const names = literals
    .filter(([, , colon]) => colon === ":")
    .map(([, literal]) => String(JSON.parse(String(literal))));
  return names.filter((name, index) => isName(name) && names.indexOf(name) < index);
}

function parseLines(input: string): (Entry | Invalid)[] {
  const lines = input.split(/\r?\n/);
  const entries: (Entry | Invalid)[] = [];
  let next = 0;
  for (const [index, line] of lines.entries()) {
    if (index < next || line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const parsed = parseEntry(lines, index, line);
    entries.push(parsed.entry);
    next = parsed.next;
  }
  return entries;
}

/** The entry that starts at a line; `next`: the line at which the next one may start. */
function parseEntry(
  lines: readonly string[],
  index: number,
  line: string,
): { entry: Entry | Invalid; next: number } {
  const place = text`line ${index + 1}`;
  const next = index + 1;
  const operator = /<<|=/.exec(line);
  if (operator === null) {
    const subject = text`Line ${next} of input ${input("secrets")}`;
    return {
      entry: { subject, problem: text`has no ${code("=")}. Write each line as ${code("NAME=value")}` },
      next,
    };
  }
  const name = line.slice(0, operator.index);
  const rest = line.slice(operator.index + operator[0].length);
  if (operator[0] === "=") return { entry: { name, value: rest, place }, next };
  const end = rest === "" ? -1 : lines.indexOf(rest, next);
  if (end === -1) {
    const problem = text`has a value of several lines (${code("<<")}) without its closing delimiter (${place})`;
    return { entry: { problem }, next: lines.length };
  }
  return { entry: { name, value: lines.slice(next, end).join("\n"), place }, next: end + 1 };
}
