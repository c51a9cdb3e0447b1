import * as v from "valibot";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { asObject } from "../text/json.ts";
import { code, joined, type Message, ownWords, quote, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";
import {
  isText,
  notPattern,
  patternProblem,
  RequestExpectSchema,
  RequestSchema,
  RunExpectSchema,
  RunSchema,
} from "./smoke-test.ts";
import { parseYaml } from "./yaml.ts";

/** The `smoke_tests` input (docs/specification.md#smoke-tests). */
export function readSmokeTests(reader: InputReader): readonly SmokeTest[] {
  const { tests, problems } = parseSmokeTests(reader.raw("smoke_tests"));
  for (const problem of problems) reader.reject("smoke_tests", problem);
  return tests;
}

/** Tests, and what is wrong with the others, each as a part of a sentence. */
interface SmokeTestList {
  readonly tests: readonly SmokeTest[];
  readonly problems: readonly Message[];
}

const maxTests = 100;

export function parseSmokeTests(input: string): SmokeTestList {
  if (input.trim() === "") return { tests: [], problems: [] };
  const yaml = parseYaml(input);
  if ("problem" in yaml) return refused(yaml.problem);
  if (!Array.isArray(yaml.value) || yaml.value.length === 0) {
    return refused(text`must be a list of at least one test, each an item that starts with -`);
  }
  const items: readonly unknown[] = yaml.value;
  if (items.length > maxTests) {
    return refused(text`has ${items.length} tests, more than the ${maxTests} that are allowed`);
  }
  const lists = items.map(parseItem);
  return {
    tests: lists.flatMap(({ tests }) => tests),
    problems: lists.flatMap(({ problems }) => problems),
  };
}

function refused(...problems: readonly Message[]): SmokeTestList {
  return { tests: [], problems };
}

function parseItem(item: unknown, index: number): SmokeTestList {
  const map = asObject(item) ?? {};
  const isRun = "graph" in map;
  const title = isText(map.name) ? text` (${quote(map.name, 100)})` : undefined;
  const mistaken = (mistake: Message) => text`has a mistake in item ${index + 1}${title}: ${mistake}`;
  if (!isRun && !("request" in map)) {
    return refused(
      mistaken(text`it must be a map with ${code("name")}, and with ${code("graph")} or ${code("request")}`),
    );
  }
  const parsed = v.safeParse(isRun ? RunSchema : RequestSchema, map);
  const mistakes = [
    ...(parsed.issues ?? []).map((issue) => describeIssue(issue, isRun)),
    ...passMistakes(map),
  ];
  if (parsed.success && mistakes.length === 0) return { tests: [parsed.output], problems: [] };
  return refused(...mistakes.map(mistaken));
}

/** What is wrong with `pass` and `repeat` together, which no schema of one key can find. */
function passMistakes({ repeat, pass }: Readonly<Record<string, unknown>>): Message[] {
  if (pass === undefined) return [];
  if (repeat === undefined) return [text`${code("pass")} needs ${code("repeat")}`];
  const isTooLarge = typeof pass === "number" && typeof repeat === "number" && pass > repeat;
  return isTooLarge ? [text`${code("pass")} must not be larger than ${code("repeat")}`] : [];
}

/** Such as `expect.status must be a whole number from 100 to 599`. */
function describeIssue(issue: v.BaseIssue<unknown>, isRun: boolean): Message {
  const { type, expected, message, input, path = [] } = issue;
  const keys = path.map(({ key }) => String(key));
  const key = code(keys.join("."), 100);
  if (type === "strict_object" && expected === "never") {
    const [test, expectation] = isRun ? [RunSchema, RunExpectSchema] : [RequestSchema, RequestExpectSchema];
    const allowed = Object.keys((keys.length === 1 ? test : expectation).entries).map((name) => code(name));
    return text`${key} is not a known key of a test with ${code(isRun ? "graph" : "request")}. Allowed keys: ${joined(allowed, ", ")}`;
  }
  if (type === "strict_object") return text`${key} must be set`;
  const reason = message === notPattern ? patternProblem(String(input)) : undefined;
  // The schemas' messages are words of this action only.
  return joined([key, ownWords(message), reason === undefined ? undefined : text`(${quote(reason, 200)})`]);
}
