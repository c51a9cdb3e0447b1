import { parseDocument } from "yaml";
import { parseJsonObject } from "../text/json.ts";
import { code, input as inputName, type Message, text } from "../text/message.ts";
import { emptyHint } from "./input-error.ts";
import type { InputReader } from "./reader.ts";

export interface Secret {
  readonly name: string;
  readonly value: string;
}

interface Entry extends Secret {
  /**
   * Where it is, such as "line 3", or the name in a JSON object. Never the text of a line, not even what looks like a name: a
   * private key that was pasted without `<<` has lines that end in `=`.
   */
  readonly place: Message;
}

/**
 * The `secrets` input: lines of `NAME=value` and `NAME<<DELIMITER`, or one JSON object (docs/specification.md#secrets).
 * Problems name a line or a secret, never content.
 */
export function readSecrets(reader: InputReader): Secret[] {
  const input = reader.raw("secrets");
  const entries = input.trimStart().startsWith("{") ? readObject(reader, input) : readLines(reader, input);
  const secrets = new Map<string, Secret>();
  for (const { name, value, place } of entries) {
    const problem = secrets.has(name) ? text`has the same name twice (${place})` : nameProblem(name, place);
    if (problem !== undefined) reject(reader, problem);
    else if (value === "") reject(reader, text`has an empty value (${place})`, emptyHint);
    else if (/^(["']).*\1$/s.test(value)) {
      reader.note(
        "warning",
        text`The value of secret ${code(name)} is in quotes, which are sent as part of it. If that is not intended, remove them.`,
      );
    }
    secrets.set(name, { name, value });
  }
  return [...secrets.values()];
}

function reject(reader: InputReader, problem: Message, hint?: Message): void {
  reader.reject("secrets", problem, { hint });
}

function nameProblem(name: string, place: Message): Message | undefined {
  if (!isName(name)) {
    return text`has a name that is not made of letters, digits and ${code("_")}, or starts with a digit (${place})`;
  }
  return name.toLowerCase() === "github_token"
    ? text`contains ${code("github_token")} (${place}), which ${code("toJSON(secrets)")} adds and which must not leave the run. List the secrets individually`
    : undefined;
}

function isName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function* readObject(reader: InputReader, json: string): Generator<Entry> {
  const object = parseJsonObject(json);
  if (object === undefined) {
    reject(reader, text`starts with { but is not a JSON object`);
    return;
  }
  for (const [index, [name, value]] of Object.entries(object).entries()) {
    const place = isName(name) ? text`${code(name)}` : text`entry ${index + 1}`;
    if (typeof value === "string") yield { name, value, place };
    else reject(reader, text`has a value that is not a string (${place})`);
  }
  // `JSON.parse` drops all but the last one. JSON is YAML too.
  const repeated = parseDocument(json).errors.find((error) => error.code === "DUPLICATE_KEY");
  if (repeated !== undefined) {
    reject(reader, text`has the same name twice (line ${repeated.linePos?.[0].line})`);
  }
}

function* readLines(reader: InputReader, input: string): Generator<Entry> {
  const lines = input.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (/^\s*(#|$)/.test(line)) continue;
    const place = text`line ${index + 1}`;
    const [, name = "", operator, rest = ""] = /^(.*?)(=|<<(?=.))(.*)$/s.exec(line) ?? [];
    if (operator === undefined) {
      const subject = text`Line ${index + 1} of input ${inputName("secrets")}`;
      const problem = text`has no ${code("=")}. Write each line as ${code("NAME=value")}`;
      reader.reject("secrets", problem, { subject });
    } else if (operator === "=") {
      yield { name, value: rest, place };
    } else {
      const end = lines.indexOf(rest, index + 1);
      if (end === -1) {
        const problem = text`has a value of several lines (${code("<<")}) without its closing delimiter (${place})`;
        reject(reader, problem);
        return;
      }
      yield { name, value: lines.slice(index + 1, end).join("\n"), place };
      index = end;
    }
  }
}
