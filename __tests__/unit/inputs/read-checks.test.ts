import { describe, expect, test } from "@jest/globals";
import { readCheckInputs, readCompare } from "../../../src/inputs/read-checks.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading(inputs, readCheckInputs);
const deployment_url = "https://agent.example";

describe("a check of any agent", () => {
  test("needs a URL and one thing to check", () => {
    expect(read({ deployment_url, health_check_path: "/ok" })).toStrictEqual({
      result: {
        url: new URL(deployment_url),
        agent: { headers: {}, requestTimeoutMs: 30_000, allowHttp: false },
        checks: { healthTimeoutMs: 60_000, healthPath: "/ok", smokeTests: [], compare: undefined },
      },
      problems: [],
      notes: [],
    });
  });

  test("fails because of breaking changes to another agent, unless they are to be warnings", () => {
    const inputs = { deployment_url, compare_with_url: "https://other.example/" };
    const compare = { url: new URL("https://other.example") };

    expect(read(inputs).result.checks.compare).toMatchObject({ ...compare, isGate: true });
    expect(read({ ...inputs, breaking_changes: "warn" }).result.checks.compare).toMatchObject({
      ...compare,
      isGate: false,
    });
  });

  test("refuses a wrong time for a request, even if nothing is compared", () => {
    expect(read({ deployment_url, health_check_path: "/ok", request_timeout_seconds: "0" }).problems).toEqual(
      [problem("request_timeout_seconds", "must be a number of seconds")],
    );
  });

  test("refuses to say what a breaking change does if nothing is compared", () => {
    const inputs = { deployment_url, health_check_path: "/ok", breaking_changes: "fail" };

    const refused = [problem("compare_with_url", "is missing or empty, although breaking_changes is fail")];
    expect(read(inputs).problems).toEqual(refused);
    expect(read({ ...inputs, compare_with_url: " " }).problems).toEqual(refused);
  });

  test("has its problems reported at once", () => {
    expect(read({ compare_with_url: "agent", breaking_changes: "yes" }).problems).toEqual([
      problem("breaking_changes", "fail or warn", '"yes"'),
      problem("deployment_url", "is missing or empty"),
      problem("compare_with_url", "must be a URL"),
    ]);
    expect(read({ deployment_url }).problems).toEqual([
      "At least one of the inputs health_check_path, smoke_tests and compare_with_url must be set.",
    ]);
  });
});

describe("a comparison", () => {
  const readCompared = (inputs: Texts, breakingChanges: "fail" | "warn" = "fail") =>
    reading(inputs, (reader) => readCompare(reader, "compare_with", breakingChanges));

  test.each<["fail" | "warn", Texts, boolean]>([
    ["fail", {}, true],
    ["warn", {}, false],
    ["fail", { breaking_changes: "warn" }, false],
    ["warn", { breaking_changes: "fail" }, true],
  ])("has the effect %s of the action, unless %j says otherwise", (effect, inputs, isGate) => {
    const { result } = readCompared({ compare_with: "staging", ...inputs }, effect);

    expect(result).toEqual({ comparedWith: "staging", isGate });
  });

  test("that is a gate must have something to compare with, because an empty variable would open it", () => {
    expect(readCompared({ compare_with: " ", breaking_changes: "fail" }).problems).toEqual([
      problem("compare_with", "is missing or empty, although breaking_changes is fail"),
    ]);
    expect(readCompared({ compare_with: " ", breaking_changes: "warn" }).problems).toEqual([]);
  });
});
