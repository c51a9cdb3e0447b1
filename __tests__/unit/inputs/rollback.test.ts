import { expect, test } from "@jest/globals";
import { readRollbackInputs } from "../../../src/inputs/rollback.ts";
import { access, controlPlane } from "./support/control-plane.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading({ ...access, ...inputs }, readRollbackInputs);
const defaults = {
  controlPlane,
  options: { wait: true, timeoutMs: 1_800_000, pollIntervalMs: 3_000 },
  agent: { headers: {}, allowHttp: false },
};

test.each<[string, Texts, object]>([
  ["no inputs", {}, {}],
  ["wait: false", { wait: "false" }, { options: { ...defaults.options, wait: false } }],
  [
    "a revision, a token and a comparison",
    { revision_id: "rev-1", github_token: "some-token", compare_with: "previous" },
    {
      revisionId: "rev-1",
      githubToken: "some-token",
      compare: { target: "previous", isGate: false },
    },
  ],
])("a rollback is read from %s", (_what, inputs, changes) => {
  expect(read(inputs)).toEqual({
    result: { ...defaults, ...changes },
    problems: [],
    notes: [],
  });
});

test.each<[string, Texts, string]>([
  ["is not waited for", { wait: "false", compare_with: "previous" }, "needs wait: true"],
  ["is another deployment", { compare_with: "staging" }, "must be previous"],
])("a rollback cannot be compared with what %s", (_what, inputs, fact) => {
  expect(read(inputs).problems).toEqual([problem("compare_with", fact)]);
});
