import * as v from "valibot";
import { parse, YAMLParseError } from "yaml";
import { headerProblem, pathProblem } from "../agent/request-parts.ts";
import { RequestSchema, RunSchema, type SmokeTest } from "../checks/smoke-test.ts";
import { asObject } from "../text/json.ts";
import { code, type Phrase, phrase, quote, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** Reads the `smoke_tests` input (docs/specification.md#smoke-tests). */
export function readSmokeTests(reader: InputReader): SmokeTest[] {
  if (reader.optional("smoke_tests") === undefined) return [];
  return parseList(reader).flatMap((item, index) => {
    const map = asObject(item) ?? {};
    const parsed = v.safeParse("graph" in map ? RunSchema : RequestSchema, map);
    const mistakes = parsed.success ? findMistakes(parsed.output) : parsed.issues.map(describeIssue);
    const title = typeof map.name === "string" ? phrase` (${quote(map.name, 100)})` : undefined;
    for (const mistake of mistakes) {
      reader.reject("smoke_tests", phrase`has a mistake in item ${index + 1}${title}: ${mistake}`);
    }
    return parsed.success && mistakes.length === 0 ? [parsed.output] : [];
  });
}

function parseList(reader: InputReader): unknown[] {
  let value: unknown;
  try {
    // By default, the parser prints its warnings.
    value = parse(reader.raw("smoke_tests"), { logLevel: "error" });
  } catch (error) {
    // The parser's message would quote the input, which may be secret and is not masked yet.
    const { code: reason = "", linePos: [start] = [] } = error instanceof YAMLParseError ? error : {};
    const place = start && phrase` (line ${start.line}, column ${start.col}: ${code(reason)})`;
    reader.reject("smoke_tests", phrase`is not valid YAML${place}`, {
      hint: text`Lines are counted in the input. Check the indentation, and put a text with a colon in quotes.`,
    });
    return [];
  }
  if (Array.isArray(value) && value.length > 0) return value;
  reader.reject(
    "smoke_tests",
    phrase`must be a list of at least one test, each an item that starts with ${code("-")}`,
  );
  return [];
}

/** Returns the keys and the schema's own message, as in `expect.status must be a whole number from 100 to 599`. */
function describeIssue(issue: v.BaseIssue<unknown>): Phrase {
  return code(`${v.getDotPath(issue)} ${issue.message}`);
}

function findMistakes({ path, headers, repeat, pass = repeat }: SmokeTest): Phrase[] {
  const pathMistake = pathProblem(path);
  const headerMistakes = Object.entries(headers).flatMap(([name, value]) => {
    const problem = headerProblem(name, value);
    return problem === undefined ? [] : [phrase`${code(`headers.${name}`, 100)} ${problem}`];
  });
  return [
    ...(pathMistake === undefined ? [] : [phrase`${code("request")} ${pathMistake}`]),
    ...headerMistakes,
    ...(pass > repeat ? [phrase`${code("pass")} must not be larger than ${code("repeat")}`] : []),
  ];
}
