import { parseDocument } from "yaml";
import { emptyHint } from "../input-problem.ts";
import type { Variable } from "../platform/desired-deployment.ts";
import { parseJsonObject } from "../text/json.ts";
import { code, inputName, type Message, type Phrase, phrase, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

interface Entry extends Variable {
  /**
   * The line of the variable, such as "line 3", or its name in a JSON object. Never the text of a line, not even before `=`: a
   * private key that was pasted without `<<` has lines that end in `=`.
   */
  readonly where: Phrase;
}

/** Reads the variables of both inputs, which are sent alike. Rejects a name that is in both. */
export function readAllVariables(reader: InputReader) {
  const secrets = readVariables(reader, "secrets");
  const envVars = readVariables(reader, "env_vars");
  const secretNames = new Set(secrets.map(({ name }) => name));
  for (const { name } of envVars) {
    if (!secretNames.has(name)) continue;
    reader.reject("env_vars", phrase`contains ${code(name)}, which is also in ${inputName("secrets")}`);
  }
  return { secrets, envVars };
}

/**
 * Reads the variables of an input: lines of `NAME=value` and `NAME<<DELIMITER`, or one JSON object
 * (docs/specification.md#secrets). Problems name a line or a variable, never content.
 */
export function readVariables(reader: InputReader, input: "secrets" | "env_vars"): Variable[] {
  const content = reader.raw(input);
  const reject = (problem: Phrase, hint?: Message) => reader.reject(input, problem, { hint });
  const entries = content.trimStart().startsWith("{")
    ? readObject(content, reject)
    : readLines(content, reject);
  const variables = new Map<string, Variable>();
  for (const { name, value, where } of entries) {
    if (variables.has(name)) reject(phrase`has the same name twice (${where})`);
    else if (!isName(name)) {
      reject(
        phrase`has a name that is not made of letters, digits and ${code("_")}, or starts with a digit (${where})`,
      );
    } else if (name.toLowerCase() === "github_token") {
      reject(
        phrase`contains ${code("github_token")} (${where}), which ${code("toJSON(secrets)")} adds and which must not leave the run. List the secrets individually`,
      );
    } else if (value === "") reject(phrase`has an empty value (${where})`, emptyHint);
    else if (/^(["']).*\1$/s.test(value)) {
      const subject = text`The value of ${code(name)} in ${inputName(input)}`;
      reader.addNote("warning", text`${subject} is in quotes, which are part of it. It is sent as it is.`);
    }
    variables.set(name, { name, value });
  }
  return [...variables.values()];
}

type Reject = (problem: Phrase, hint?: Message) => void;

function isName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

const objectHint = text`Write a value of the object as ${code("toJSON(secrets.NAME)")}, which adds the quotes, or write lines of ${code("NAME=value")}.`;

function* readObject(json: string, reject: Reject): Generator<Entry> {
  const object = parseJsonObject(json);
  if (object === undefined) return reject(phrase`starts with { but is not a JSON object`, objectHint);
  for (const [index, [name, value]] of Object.entries(object).entries()) {
    const where = isName(name) ? code(name) : phrase`entry ${index + 1}`;
    if (typeof value === "string") yield { name, value, where };
    else reject(phrase`has a value that is not a string (${where})`);
  }
  // `JSON.parse` keeps only the last of two equal names. The YAML parser reports them, and JSON is YAML too.
  const repeated = parseDocument(json).errors.find((error) => error.code === "DUPLICATE_KEY");
  if (repeated !== undefined) {
    reject(phrase`has the same name twice (line ${repeated.linePos?.[0].line})`);
  }
}

const severalLinesHint = text`Write a value of several lines as ${code("NAME<<END")}, its lines, and a line with ${code("END")}.`;

function* readLines(content: string, reject: Reject): Generator<Entry> {
  const lines = content.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (/^\s*(#|$)/.test(line)) continue;
    const where = phrase`line ${index + 1}`;
    const [, name = "", operator, rest = ""] = /^(.*?)(=|<<(?=.))(.*)$/s.exec(line) ?? [];
    if (operator === undefined) {
      const problem = phrase`has no ${code("=")} in ${where}. Write each line as ${code("NAME=value")}`;
      reject(problem, severalLinesHint);
    } else if (operator === "=") {
      yield { name, value: rest, where };
    } else {
      const end = lines.indexOf(rest, index + 1);
      if (end === -1) {
        return reject(
          phrase`has a value of several lines (${code("<<")}) without its closing delimiter (${where})`,
        );
      }
      yield { name, value: lines.slice(index + 1, end).join("\n"), where };
      index = end;
    }
  }
}
