import { expect, test } from "@jest/globals";
import { readRollbackInputs } from "../../../src/inputs/read-rollback-inputs.ts";
import { access, controlPlane } from "./support/control-plane.ts";
import { reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) =>
  reading({ ...access, ...inputs }, (reader) => readRollbackInputs(reader, { runAttempt: 1 }));
const checks = {
  healthTimeoutMs: 60_000,
  healthPath: undefined,
  compare: undefined,
  serving: "auto",
  smokeTests: [],
  verifyCommit: false,
  headers: {},
  allowHttp: false,
};
const options = { wait: true, timeoutMs: 1_800_000, pollIntervalMs: 3_000, checks };
const defaults = { revisionId: undefined, githubToken: undefined, options };

test.each<[string, Texts, object]>([
  ["no inputs", {}, defaults],
  ["wait: false", { wait: "false" }, { ...defaults, options: { ...options, wait: false } }],
  [
    "a revision, a token and checks",
    { revision_id: "rev-1", github_token: "some-token", health_check_path: "/ok" },
    {
      revisionId: "rev-1",
      githubToken: "some-token",
      options: {
        ...options,
        checks: { ...checks, healthPath: "/ok" },
      },
    },
  ],
])("a rollback is read from %s", (_what, inputs, expected) => {
  expect(read(inputs)).toStrictEqual({
    result: { settings: controlPlane, ...expected },
    problems: [],
    notes: [],
  });
});
