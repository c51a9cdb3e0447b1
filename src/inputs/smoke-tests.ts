import * as v from "valibot";
import { parse } from "yaml";
import { headerProblem, pathProblem } from "../agent/request-parts.ts";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { toError } from "../errors.ts";
import { isSuccessful } from "../http/response.ts";
import { asObject, hasString, isTooDeep } from "../text/json.ts";
import { code, type Phrase, phrase, quote, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";
import { notOneOf, RequestSchema, RunSchema, wordsOf } from "./smoke-test-schemas.ts";

/** Reads the `smoke_tests` input (docs/specification.md#smoke-tests). */
export function readSmokeTests(reader: InputReader): SmokeTest[] {
  if (reader.optional("smoke_tests") === undefined) return [];
  return parseList(reader).flatMap((item, index) => {
    const { name } = asObject(item) ?? {};
    const title = typeof name === "string" ? phrase` (${quote(name, 100)})` : undefined;
    const parsed = parseTest(item);
    if (!Array.isArray(parsed)) return [parsed];
    for (const mistake of parsed) {
      reader.reject("smoke_tests", phrase`has a mistake in item ${index + 1}${title}: ${mistake}`);
    }
    return [];
  });
}

function parseList(reader: InputReader): unknown[] {
  let value: unknown;
  try {
    // By default, the parser prints its warnings.
    value = parse(reader.raw("smoke_tests"), { logLevel: "error" });
  } catch (error) {
    reader.reject("smoke_tests", phrase`is not valid YAML: ${quote(withoutInput(toError(error)), 300)}`, {
      hint: text`Lines are counted in the input. Check the indentation, and put a text with a colon in quotes.`,
    });
    return [];
  }
  const list: unknown[] = Array.isArray(value) ? value : [];
  const isList = list.length > 0;
  if (isList && !isTooDeep(list)) return list;
  reader.reject(
    "smoke_tests",
    isList
      ? phrase`is nested too deep, or has an alias within its own anchor`
      : phrase`must be a list of at least one test, each an item that starts with ${code("-")}`,
  );
  return [];
}

/** Returns the parser's message without the text of the input, which may be secret and is not masked yet. */
function withoutInput({ message }: Error): string {
  // The further lines quote the input.
  const [firstLine = ""] = message.split(/:?\n/, 1);
  // Of `Nested mappings are not allowed: a: b at line 1, column 2`, the text after the colon is left out.
  const quoted = /(?:(?<=\S): |; please use |(?<=escape) sequence | !\S).*?(?= at line \d+, column \d+$|$)/;
  return firstLine.replace(quoted, "");
}

const knownKeys = Object.keys({ ...RunSchema.entries, ...RequestSchema.entries });

function parseTest(item: unknown): SmokeTest | Phrase[] {
  const map = asObject(item) ?? {};
  const isRun = "graph" in map;
  const isRequest = "request" in map;
  if (isRun === isRequest) {
    const unknown = Object.keys(map).filter((key) => !knownKeys.includes(key));
    if (unknown.length > 0) return unknown.map((key) => phrase`${code(key, 100)} ${notOneOf(knownKeys)}`);
    const only = isRun ? phrase`, not with both` : undefined;
    return [
      phrase`it must be a map with ${code("name")}, and with either ${code("graph")} or ${code("request")}${only}`,
    ];
  }
  const parsed = v.safeParse(isRun ? RunSchema : RequestSchema, map);
  if (!parsed.success) return parsed.issues.map(describeIssue);
  const mistakes = findMistakes(parsed.output);
  return mistakes.length > 0 ? mistakes : parsed.output;
}

/** Returns a mistake, such as `expect.status must be a whole number from 100 to 599`. */
function describeIssue({ message, path }: v.BaseIssue<unknown>): Phrase {
  const key = path?.map((part) => String(part.key)).join(".") ?? "";
  return phrase`${code(key, 100)} ${wordsOf(message)}`;
}

function findMistakes(smokeTest: SmokeTest): Phrase[] {
  const { path, headers, repeat, minPasses } = smokeTest;
  const pathMistake = pathProblem(path);
  const headerMistakes = Object.entries(headers).flatMap(([name, value]) => {
    const problem = headerProblem(name, value);
    return problem === undefined ? [] : [phrase`${code(`headers.${name}`, 100)} ${problem}`];
  });
  return [
    ...(pathMistake === undefined ? [] : [phrase`${code("request")} ${pathMistake}`]),
    ...headerMistakes,
    ...(minPasses > repeat ? [phrase`${code("pass")} must not be larger than ${code("repeat")}`] : []),
    ...(expectsOnlyInput(smokeTest) ? [onlyInput] : []),
  ];
}

/** Whether a run passes if the agent does no more than repeat its input. */
function expectsOnlyInput({ run, body, expected }: SmokeTest): boolean {
  const { status = 200, contains, matches, json } = expected;
  const hasOthers = matches !== undefined || Object.keys(json).length > 0 || run?.interrupted;
  if (contains.length === 0 || hasOthers || !isSuccessful(status)) return false;
  const input = run && asObject(body)?.input;
  return contains.every((part) => hasString(input, part));
}

const onlyInput = phrase`${code("expect.contains")} is in ${code("input")}, which most responses repeat. Expect something else`;
