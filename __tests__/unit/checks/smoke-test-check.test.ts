import { describe, expect, test } from "@jest/globals";
import { AgentClient } from "../../../src/agent/agent-client.ts";
import { smokeTestCheck } from "../../../src/checks/smoke-test-check.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { readSmokeTests } from "../../../src/inputs/smoke-tests.ts";
import { rawText } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

/** The finding of a smoke test on an agent that answers with its last state. */
async function findingOf(smoke_tests: string) {
  const state = { messages: [{ content: "What is the capital of Paris?" }], a: 1, b: "France" };
  const url = await serve((request, response) => {
    const isPaused = smoke_tests.includes("interrupted");
    request
      .resume()
      .on("end", () => response.end(JSON.stringify({ ...state, ...(isPaused && { __interrupt__: [1] }) })));
  });
  const [smokeTest] = readSmokeTests(new InputReader({ INPUT_SMOKE_TESTS: smoke_tests }));
  if (smokeTest === undefined) throw new Error("The test has a mistake");
  return await smokeTestCheck(
    { value: new AgentClient(new URL(url), {}, recordingContext({})) },
    smokeTest,
  ).perform();
}

describe("a run that passes if the agent repeats its input", () => {
  const run = (expected: string) =>
    `- name: capital\n  graph: agent\n  input: { messages: [{ role: user, content: What is the capital of Paris?  }] }\n  expect: ${expected}\n`;

  test("ends with a warning", async () => {
    const { verdict, description } = await findingOf(run("{ contains: Paris }"));

    expect(verdict).toBe("warned");
    expect(rawText(description)).toContain("it proves little. What it expects is in its input");
  });

  test.each([
    ["one text is not in the input", run("{ contains: [Paris, France] }")],
    ["something else is expected too", run("{ contains: Paris, matches: 'France' }")],
    ["a value is expected too", run("{ contains: Paris, json: { /a: 1 } }")],
    ["a pause is expected too", run("{ contains: Paris, interrupted: true }")],
    ["no text is expected", run("{ status: 200 }")],
    ["it is no run", '- name: ok\n  request: POST /ask\n  body: "Paris"\n  expect: { contains: Paris }\n'],
  ])("passes if %s", async (_what, smoke_tests) => {
    expect(await findingOf(smoke_tests)).toMatchObject({ verdict: "passed" });
  });
});
