// Every run of a scenario is checked for inputs that its action does not have (support/foreign-inputs.ts). These are failures
// that several actions share, and that no other scenario provokes in an action without the input of the usual advice.
import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  defaultCreate,
  expectError,
  type Inputs,
  immediate,
  previewOf7,
  type Scenario,
  startScenario,
} from "../../support/scenario.ts";
import { startWithRevisions } from "../rollback/support.ts";

const lists = { method: "GET", path: "^/v2/deployments$", times: "always" } as const;
const { source_config: config } = defaultCreate;

const resources = ["one", "two"].map((id) => ({ id, name: previewOf7 }));
const twoOfTheName = answer(lists, 200, { body: { resources, offset: 0 } });
const taken = answer("POST ^/v2/deployments$", 409, { body: { detail: "taken" } });
const otherRepository = { ...config, repo_url: "https://github.com/someone/else" };

test.each<[string, (scenario: Scenario) => unknown, Inputs, string]>([
  ["several of its name", ({ emulator }) => emulator.addFault(twoOfTheName), {}, "Delete those that are not"],
  ["a name that is taken", ({ emulator }) => emulator.addFault(taken), {}, "choose a different name"],
  [
    "a deployment of another source",
    ({ existing }) => existing(previewOf7, { source: "external_docker" }),
    {},
    "create another deployment",
  ],
  [
    "a deployment of another repository",
    ({ existing }) => existing(previewOf7, { source_config: otherRepository }),
    {},
    "Choose a different name",
  ],
  [
    "a compared deployment that does not exist",
    () => {},
    { compare_with: "gone", breaking_changes: "fail" },
    "compare_with",
  ],
])("a preview that meets %s names inputs that it has", async (_what, prepare, inputs, hint) => {
  const scenario = await startScenario(immediate);
  await prepare(scenario);
  scenario.open();

  expectError(await scenario.preview("opened", { inputs }), hint);
});

test("a rollback of a deployment without a URL says which step sets one", async () => {
  const scenario = await startWithRevisions(["one", "two"], {
    statusSeconds: 0,
    faults: [{ kind: "hide", fields: ["url", "custom_url"] }],
  });

  const run = await scenario.rollBack({ health_check_path: "/ok" });

  expectError(run, "custom_url in the step that deploys it");
});

test("a check whose agent can't run or be compared names inputs that it has", async () => {
  const { run } = await startScenario(immediate);
  const closed = "http://127.0.0.1:9";
  const smoke_tests = "[{ name: greets, graph: agent, input: {} }]";

  const checked = await run("check", {
    inputs: { deployment_url: closed, compare_with_url: closed, smoke_tests },
  });

  expect(checked.succeeded).toBe(false);
  expect(checked.errors.join()).toContain("deployment_url");
});
