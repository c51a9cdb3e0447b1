import { closestMatch } from "leven";
import * as v from "valibot";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { asObject } from "../text/json.ts";
import {
  code,
  input as inputName,
  joined,
  listed,
  type Message,
  ownWords,
  quote,
  text,
  type Value,
} from "../text/message.ts";
import { containsPart, matchPattern } from "../text/search.ts";
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
  const repeated = tests.flatMap(textsOfOwnInput);
  if (repeated.length > 0) {
    reader.note(
      "warning",
      text`Input ${inputName("smoke_tests")} expects text that is already in the test's own input: ${listed(repeated)}. The final state of a run usually repeats its input, so every response contains the text. Expect text that only the agent could have written.`,
    );
  }
  return tests;
}

/** Such as `"Paris" ("knows the capital")`: what a run is expected to say, and what an echo of its input says already. */
function textsOfOwnInput({ name, run, body, expected }: SmokeTest): Message[] {
  if (run === undefined) return [];
  const input = asObject(body)?.input;
  const sent = JSON.stringify(input);
  const { contains, matches } = expected;
  const isMatch = matches !== undefined && matchPattern(matches, sent) === true;
  const repeated = [
    ...contains.filter((part) => containsPart(sent, input, part)),
    ...(isMatch ? [matches] : []),
  ];
  return repeated.map((part) => text`${quote(part, 100)} (${quote(name, 100)})`);
}

/** Tests, and what is wrong with the others, each as a part of a sentence. */
interface SmokeTestList {
  readonly tests: readonly SmokeTest[];
  readonly problems: readonly Message[];
}

const maxTests = 100;
const notList = text`It must be a list, in which each test starts with -`;

export function parseSmokeTests(input: string): SmokeTestList {
  if (input.trim() === "") return { tests: [], problems: [] };
  const yaml = parseYaml(input);
  if ("problem" in yaml) {
    const first = input.split("\n").find((line) => /^\s*[^\s#]/.test(line)) ?? "";
    return refused(/^\s*[-[]/.test(first) ? yaml.problem : text`${yaml.problem}. ${notList}`);
  }
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
  const map = asObject(item);
  if (map === undefined) {
    return refused(
      text`has a mistake in item ${index + 1}: it must be a map with name, and with graph or request`,
    );
  }
  const kinds = Object.keys(map).map((key) => closestKey(key, ["graph", "request"]));
  const isRun = kinds.includes("graph");
  const title = isText(map.name) ? text` (${quote(map.name, 100)})` : undefined;
  const mistaken = (mistake: Message) => text`has a mistake in item ${index + 1}${title}: ${mistake}`;
  if (!isRun && !kinds.includes("request")) {
    const keys = listed(
      Object.keys(map)
        .slice(0, 10)
        .map((key) => code(key, 50)),
    );
    return refused(
      mistaken(text`${code("graph")} or ${code("request")} must be set, but it has only ${keys}`),
    );
  }
  const parsed = v.safeParse(isRun ? RunSchema : RequestSchema, map);
  const issues = parsed.issues ?? [];
  const meant = issues.map((issue) => meantKey(issue, isRun));
  const mistakes = [
    // A key that is misspelled is not missing too.
    ...issues
      .filter((issue) => isUnknown(issue) || !meant.includes(keysOf(issue).join(".")))
      .map((issue) => describeIssue(issue, isRun)),
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

type Issue = v.BaseIssue<unknown>;

function keysOf({ path }: Issue): string[] {
  return (path ?? []).map(({ key }) => String(key));
}

function isUnknown({ type, expected }: Issue): boolean {
  return type === "strict_object" && expected === "never";
}

/** Such as `expect.status must be a whole number from 100 to 599`. */
function describeIssue(issue: Issue, isRun: boolean): Message {
  const { type, message, input } = issue;
  const key = code(keysOf(issue).join("."), 100);
  if (isUnknown(issue)) return describeUnknown(key, issue, isRun);
  if (type === "strict_object") return text`${key} must be set`;
  const reason = message === notPattern ? patternProblem(String(input)) : undefined;
  // The schemas' messages are words of this action only.
  return joined([key, ownWords(message), reason === undefined ? undefined : text`(${quote(reason, 200)})`]);
}

function describeUnknown(key: Value, issue: Issue, isRun: boolean): Message {
  const allowed = allowedKeys(issue, isRun).map((name) => code(name));
  const kind = code(isRun ? "graph" : "request");
  const meant = meantKey(issue, isRun);
  const question = meant === undefined ? commaAdvice(issue) : text` Did you mean ${code(meant)}?`;
  return text`${key} is not a known key of a test with ${kind}.${question} Allowed keys: ${joined(allowed, ", ")}`;
}

/** In a map in braces, what follows a comma is the next key: `{ contains: Paris, Texas }`. */
function commaAdvice({ path }: Issue): Message | undefined {
  return path?.at(-1)?.value === null ? text` Quote any text that contains a comma.` : undefined;
}

/** The keys that may be where the key of an issue is. */
function allowedKeys(issue: Issue, isRun: boolean): string[] {
  const [test, expectation] = isRun ? [RunSchema, RunExpectSchema] : [RequestSchema, RequestExpectSchema];
  return Object.keys((keysOf(issue).length === 1 ? test : expectation).entries);
}

/** The known key that differs in at most two characters, and not in the first, which is rarely wrong; undefined if none does. */
function closestKey(key: string, keys: readonly string[]): string | undefined {
  const similar = keys.filter((known) => known[0] === key[0]);
  return closestMatch(key, similar, { maxDistance: 2 });
}

/** The key that an unknown one is a misspelling of, with its parents; undefined if there is none. */
function meantKey(issue: Issue, isRun: boolean): string | undefined {
  const keys = keysOf(issue);
  const key = keys.at(-1) ?? "";
  const allowed = isUnknown(issue) ? allowedKeys(issue, isRun) : [];
  const meant = closestKey(key, allowed);
  return meant && [...keys.slice(0, -1), meant].join(".");
}
