import { httpMethods } from "../http/request.ts";
import { type Headers, headerProblem } from "./agent-headers.ts";
import { isMap, MapReader, type PlainMap } from "./map-reader.ts";
import { pathProblem } from "./path-problem.ts";
import { quote } from "./reader.ts";
import type { Expected, SmokeTest } from "./smoke-test.ts";
import { parseYaml } from "./yaml.ts";

const maxTests = 100;
const maxRepeat = 100;
/** More mistakes than anybody reads. */
const maxProblems = 50;

/** https://www.rfc-editor.org/rfc/rfc6901#section-3 */
const jsonPointer = /^(\/([^~/]|~[01])*)*$/u;

const runKeys = ["input", "config", "context"];
const requestKeys = ["body", "headers"];
const itemKeys = ["name", "graph", ...runKeys, "request", ...requestKeys, "expect", "repeat", "pass"];
const expectKeys = ["status", "contains", "matches", "json", "interrupted", "max_seconds"];

/** The tests of the `smoke_tests` input, and what is wrong with them, each as a part of a sentence. */
export interface SmokeTestList {
  readonly tests: readonly SmokeTest[];
  readonly problems: readonly string[];
}

export function parseSmokeTests(text: string): SmokeTestList {
  const yaml = parseYaml(text);
  if ("problem" in yaml) return { tests: [], problems: [yaml.problem] };
  if (!Array.isArray(yaml.value) || yaml.value.length === 0) {
    return { tests: [], problems: ["must be a list of at least one test, each an item that starts with -"] };
  }
  const items: readonly unknown[] = yaml.value;
  if (items.length > maxTests) {
    return { tests: [], problems: [`has ${items.length} tests, more than the ${maxTests} that are allowed`] };
  }
  const problems: string[] = [];
  const tests = items.flatMap((item, index) => {
    const place = `item ${index + 1}`;
    if (isMap(item)) return [readTest(item, rejectIn(place, item, problems))];
    problems.push(`has an ${place} that is not a map with name, and graph or request`);
    return [];
  });
  return { tests, problems: problems.slice(0, maxProblems) };
}

function rejectIn(place: string, { name }: PlainMap, problems: string[]) {
  const title = typeof name === "string" && name !== "" ? `${place} (${quote(name)})` : place;
  return (key: string, problem: string) => {
    problems.push(`has a mistake in ${title}: ${quote(key).slice(1, -1)} ${problem}`);
  };
}

type Reject = (key: string, problem: string) => void;

function readTest(item: PlainMap, reject: Reject): SmokeTest {
  const reader = new MapReader(item, itemKeys, reject);
  const name = reader.requiredText("name");
  const expected = reader.filledMap("expect");
  const expectReader = new MapReader(expected, expectKeys, reject, "expect.");
  const isRun = isRunOfGraph(reader);
  const repeat = reader.wholeNumber("repeat", 1, maxRepeat);
  if (reader.has("pass") && !reader.has("repeat")) reader.reject("pass", "needs repeat");
  return {
    name,
    ...(isRun ? readRun(reader, expectReader) : readRequest(reader, expectReader, reject)),
    expected: readExpected(expectReader, reject),
    repeat: repeat ?? 1,
    pass: reader.wholeNumber("pass", 1, repeat ?? maxRepeat) ?? repeat ?? 1,
  };
}

/** Whether the test runs a graph; otherwise it sends a request of its own. */
function isRunOfGraph(reader: MapReader): boolean {
  const isRun = reader.has("graph");
  if (isRun && reader.has("request")) reader.reject("request", "must not be given together with graph");
  if (!isRun && !reader.has("request")) reader.reject("graph", "or request must be given");
  for (const key of isRun ? requestKeys : runKeys) {
    if (reader.has(key)) reader.reject(key, `needs ${isRun ? "request" : "graph"}`);
  }
  return isRun;
}

type Sent = Pick<SmokeTest, "method" | "path" | "headers" | "body" | "run">;

function readRun(reader: MapReader, expectReader: MapReader): Sent {
  const graph = reader.requiredText("graph");
  const [input, config, context] = [reader.map("input"), reader.map("config"), reader.map("context")];
  if (!reader.has("input")) reader.reject("input", "must be given, as a map");
  return {
    method: "POST",
    path: "/runs/wait",
    headers: {},
    body: {
      assistant_id: graph,
      input,
      ...(config && { config }),
      ...(context && { context }),
      on_completion: "delete",
    },
    run: { graph, interrupted: expectReader.boolean("interrupted") ?? false },
  };
}

function readRequest(reader: MapReader, expectReader: MapReader, reject: Reject): Sent {
  if (expectReader.has("interrupted")) expectReader.reject("interrupted", "needs graph");
  const line = reader.text("request");
  const [, name, path = ""] = /^(\S+) +(\S.*)$/s.exec(line ?? "") ?? [];
  const method = httpMethods.find((one) => one === name);
  const problem =
    method === undefined
      ? `must be a method (${httpMethods.join(", ")}), a blank and a path, such as GET /ok`
      : pathProblem(path);
  if (line !== undefined && problem !== undefined) reader.reject("request", problem);
  return {
    method: method ?? "GET",
    path,
    headers: readHeaders(reader.map("headers") ?? {}, reject),
    body: reader.json("body"),
    run: undefined,
  };
}

function readHeaders(map: PlainMap, reject: Reject): Headers {
  const headers = Object.entries(map).map(([name, value]) => {
    const problem =
      typeof value === "string" ? headerProblem(name, value) : "must have text as its value (in quotes)";
    if (problem !== undefined) reject(`headers.${name}`, problem);
    return [name.toLowerCase(), String(value)];
  });
  return Object.fromEntries(headers);
}

function readExpected(reader: MapReader, reject: Reject): Expected {
  const matches = reader.text("matches");
  const problem = matches === undefined ? undefined : patternProblem(matches);
  if (problem !== undefined) reader.reject("matches", problem);
  const json = new Map(Object.entries(reader.filledMap("json")));
  for (const pointer of json.keys()) {
    if (!jsonPointer.test(pointer)) {
      reject(
        `expect.json.${pointer}`,
        "is not a JSON Pointer. It must be empty or start with /, and have ~0 for ~",
      );
    }
  }
  return {
    status: reader.wholeNumber("status", 100, 599),
    contains: reader.texts("contains"),
    matches,
    json,
    maxMs: reader.seconds("max_seconds", 60),
  };
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return `must be a regular expression of JavaScript. ${quote(String(error))}`;
  }
}
