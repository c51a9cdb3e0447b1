import * as v from "valibot";
import { parse } from "yaml";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { toError } from "../errors.ts";
import { asObject, isTooDeep } from "../text/json.ts";
import { code, type Message, quote, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";
import { RequestSchema, RunSchema } from "./smoke-test-schemas.ts";

/** The `smoke_tests` input (docs/specification.md#smoke-tests). */
export function readSmokeTests(reader: InputReader): SmokeTest[] {
  if (reader.optional("smoke_tests") === undefined) return [];
  return parseList(reader).flatMap((item, index) => {
    const { name } = asObject(item) ?? {};
    const title = typeof name === "string" ? text` (${quote(name, 100)})` : undefined;
    const found = parseTest(item);
    if (!Array.isArray(found)) return [found];
    for (const mistake of found) {
      reader.reject("smoke_tests", text`has a mistake in item ${index + 1}${title}: ${mistake}`);
    }
    return [];
  });
}

function parseList(reader: InputReader): unknown[] {
  try {
    // A warning of the parser would be printed.
    const value: unknown = parse(reader.raw("smoke_tests"), { logLevel: "error" });
    const isList = Array.isArray(value) && value.length > 0;
    if (isList && !isTooDeep(value)) return value;
    reader.reject(
      "smoke_tests",
      isList
        ? text`is nested too deep, or has an alias within its own anchor`
        : text`must be a list of at least one test, each an item that starts with ${code("-")}`,
    );
  } catch (error) {
    reader.reject("smoke_tests", text`is not valid YAML: ${quote(withoutSource(toError(error)), 300)}`);
  }
  return [];
}

/** What the parser says is wrong and where, without the text of the input in it: that may be secret, and is not masked yet. */
function withoutSource({ message }: Error): string {
  // The lines of the input follow.
  const [words = ""] = message.split(/:?\n/, 1);
  return words.replace(/(?:(?<=\S): | sequence | !\S).*?(?= at line \d+, column \d+$|$)/, "");
}

/** The test, or what is wrong with it. */
function parseTest(item: unknown): SmokeTest | Message[] {
  const map = asObject(item) ?? {};
  if (!("graph" in map || "request" in map)) {
    return [text`it must be a map with ${code("name")}, and with ${code("graph")} or ${code("request")}`];
  }
  const parsed = v.safeParse("graph" in map ? RunSchema : RequestSchema, map);
  if (!parsed.success) return parsed.issues.map(describeIssue);
  const { repeat, pass } = parsed.output;
  return pass > repeat ? [text`${code("pass")} must not be larger than ${code("repeat")}`] : parsed.output;
}

/** What is wrong with a test, such as `expect.status must be a whole number from 100 to 599`. */
function describeIssue({ message, path }: v.BaseIssue<unknown>): Message {
  const key = code(path?.map((part) => String(part.key)).join(".") ?? "", 100);
  // The schemas' messages are words of this action.
  return text`${key} ${{ parts: [message] }}`;
}
