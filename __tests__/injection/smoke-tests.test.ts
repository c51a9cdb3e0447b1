import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseSmokeTests } from "../../src/inputs/smoke-tests.ts";
import { maxYamlLength } from "../../src/inputs/yaml.ts";
import { recordingContext } from "../support/recording-context.ts";
import { times } from "./support/hostile-servers.ts";

const key = fc.constantFrom(
  ...["name", "graph", "input", "request", "body", "headers", "expect", "status", "contains", "matches"],
  ...["json", "interrupted", "max_seconds", "repeat", "pass", "<<", "__proto__"],
);
const scalar = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "GET /ok",
    "agent",
    "&a x",
    "*a",
    "!!js x",
    "|",
    ">",
    "''",
    ".nan",
    "~",
    "2020-01-01",
    "{",
    "[",
  ),
  fc.integer().map(String),
);
const line = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom("", "- ", "? ", "- - "), key, scalar)
  .map(([depth, dash, name, value]) => `${"  ".repeat(depth)}${dash}${name}: ${value}`);
const yamlLike = fc.array(line, { maxLength: 30 }).map((lines) => lines.join("\n"));
const tree = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, fc.jsonValue(), fc.dictionary(key, tie("value"), { maxKeys: 5 })),
})).value;
const repeated = fc
  .tuple(
    fc.constantFrom("[", "{a: ", "- ", "? ", "a: ", "&a ", "*a ", "---\n", "'", '"\\', "#\n", "\t"),
    fc.integer({ min: 1, max: 3000 }),
  )
  .map(([text, times]) => text.repeat(times).slice(0, maxYamlLength));
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(fc.string({ unit: "binary" }), yamlLike) },
  { weight: 4, arbitrary: fc.array(tree, { maxLength: 4 }).map((list) => JSON.stringify(list)) },
  { weight: 1, arbitrary: repeated },
);

test("any text of smoke_tests is either a list of valid tests or has problems, in less than a second", () => {
  const { render } = recordingContext({}).report;
  fc.assert(
    fc.property(texts, (text) => {
      const startedAt = process.cpuUsage().user;
      const { tests, problems } = parseSmokeTests(text);
      const tookMs = (process.cpuUsage().user - startedAt) / 1000;

      expect(tookMs).toBeLessThan(1000);
      for (const problem of problems) expect(render.plain(problem)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      if (problems.length > 0 || text.trim() === "") return;
      expect(tests.length).toBeGreaterThan(0);
      for (const { name, path, repeat, pass } of tests) {
        expect(name).not.toBe("");
        expect(path).toMatch(/^\/[^/]|^\/$/);
        expect(pass).toBeLessThanOrEqual(repeat);
      }
      expect(() => JSON.stringify(tests)).not.toThrow();
    }),
    times(75),
  );
});
