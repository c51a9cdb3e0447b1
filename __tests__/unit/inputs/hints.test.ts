import { expect, test } from "@jest/globals";
import { readAgentHeaders, readCheckInputs } from "../../../src/inputs/read-checks.ts";
import { readTarget } from "../../../src/inputs/read-control-plane.ts";
import { readPreviewInputs } from "../../../src/inputs/read-preview-inputs.ts";
import type { InputReader } from "../../../src/inputs/reader.ts";
import { readProviderInputs } from "../../../src/oauth-provider/read-provider-inputs.ts";
import { access } from "./support/control-plane.ts";
import { hintOf, readDeploy, type Texts } from "./support/reading.ts";

const deploy = readDeploy;

test.each<[string, (reader: InputReader) => unknown, Texts, string]>([
  [
    "verify_commit without waiting",
    deploy,
    { wait: "false", verify_commit: "true" },
    "Set wait: true, or remove verify_commit.",
  ],
  [
    "smoke tests that are no YAML",
    deploy,
    { smoke_tests: "- a: b: c" },
    "Lines are counted in the input. Check the indentation, and put a text with a colon in quotes.",
  ],
  [
    "secrets that are no JSON",
    deploy,
    { secrets: "{" },
    "Write a value of the object as toJSON(secrets.NAME), which adds the quotes, or write lines of NAME=value.",
  ],
  [
    "a secret without a name",
    deploy,
    { secrets: "value" },
    "Write a value of several lines as NAME<<END, its lines, and a line with END.",
  ],
  [
    "a preview with the name of what it is compared with",
    (reader) => readPreviewInputs(reader, "octo-org/octo-repo", 7),
    { name: "agent-7", compare_with: "agent-7" },
    "Choose a different name, or leave it out for a name of the preview's own.",
  ],
  [
    "nothing to check",
    readCheckInputs,
    { deployment_url: "https://agent.example" },
    "Set what is missing in the step's with: block. If it is set there, check its spelling. Otherwise, its secret or variable does not exist or is empty: add it under Settings → Secrets and variables → Actions. Runs of Dependabot get only the secrets under Dependabot there. A secret of a GitHub environment also needs environment: on the job.",
  ],
])("after %s the hint is what to do", (_what, read, inputs, hint) => {
  expect(hintOf({ ...access, ...inputs }, read)).toBe(hint);
});

test.each<[string, (reader: InputReader) => unknown, Texts]>([
  ["deployment", readTarget, {}],
  ["key", readProviderInputs, { api_key: "", provider_id: "x", name: "x" }],
])("without a %s the hint also says why an input that is set may be empty", (_what, read, inputs) => {
  const hint = hintOf({ ...access, ...inputs }, read);

  expect(hint).toContain(
    "Set what is missing in the step's with: block. If it is set there, check its spelling. Otherwise, its secret or variable",
  );
});

test.each([
  ["an empty header", "X-Key:", /^Set what is missing .*Settings/],
  ["a header without a colon", "X-Key", /^Correct agent_headers in the step's with: block\.$/],
  ["an invalid header", "X Key: x", /^Correct agent_headers in the step's with: block\.$/],
])("after %s the hint fits its reason", (_what, agent_headers, hint) => {
  expect(hintOf({ agent_headers }, readAgentHeaders)).toMatch(hint);
});
