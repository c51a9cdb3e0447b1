import * as v from "valibot";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { asObject } from "../text/json.ts";
import { code, joined, type Message, ownWords, quote, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";
import { isText, RequestExpectSchema, RequestSchema, RunExpectSchema, RunSchema } from "./smoke-test.ts";
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

export function parseSmokeTests(input: string): SmokeTestList {
  if (input.trim() === "") return { tests: [], problems: [] };
  const yaml = parseYaml(input);
  if ("problem" in yaml) return { tests: [], problems: [yaml.problem] };
  if (!Array.isArray(yaml.value) || yaml.value.length === 0) {
    const problem = text`must be a list of at least one test, each an item that starts with -`;
    return { tests: [], problems: [problem] };
  }
  const lists = yaml.value.map(parseItem);
  return {
    tests: lists.flatMap(({ tests }) => tests),
    problems: lists.flatMap(({ problems }) => problems),
  };
}

function parseItem(item: unknown, index: number): SmokeTestList {
  const map = asObject(item) ?? {};
  const isRun = "graph" in map;
  const title = isText(map.name) ? text` (${quote(map.name, 100)})` : undefined;
  const refused = (mistakes: readonly Message[]) => ({
    tests: [],
    problems: mistakes.map((mistake) => text`has a mistake in item ${index + 1}${title}: ${mistake}`),
  });
  if (!isRun && !("request" in map)) {
    return refused([
      text`it must be a map with ${code("name")}, and with ${code("graph")} or ${code("request")}`,
    ]);
  }
  const parsed = v.safeParse(isRun ? RunSchema : RequestSchema, map);
  if (!parsed.success) return refused(parsed.issues.map((issue) => describeIssue(issue, isRun)));
  const { repeat, pass } = parsed.output;
  if (pass > repeat) return refused([text`${code("pass")} must not be larger than ${code("repeat")}`]);
  return { tests: [parsed.output], problems: [] };
}

/** Such as `expect.status must be a whole number from 100 to 599`. */
function describeIssue(issue: v.BaseIssue<unknown>, isRun: boolean): Message {
  const { type, expected, message, path } = issue;
  const keys = path?.map(({ key }) => String(key)) ?? [];
  const key = code(keys.join("."), 100);
  if (type === "strict_object" && expected === "never") {
    const [test, expectation] = isRun ? [RunSchema, RunExpectSchema] : [RequestSchema, RequestExpectSchema];
    const allowed = Object.keys((keys.length === 1 ? test : expectation).entries).map((name) => code(name));
    return text`${key} is not a known key of a test with ${code(isRun ? "graph" : "request")}. Allowed keys: ${joined(allowed, ", ")}`;
  }
  return type === "strict_object" ? text`${key} must be set` : text`${key} ${ownWords(message)}`;
}
