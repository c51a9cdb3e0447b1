import { expect, test } from "@jest/globals";
import { readRollbackInputs } from "../../../src/inputs/read-rollback-inputs.ts";
import type { InputReader } from "../../../src/inputs/reader.ts";
import { access, controlPlane } from "./support/control-plane.ts";
import { hintOf, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts, runAttempt = 1) =>
  reading({ ...access, ...inputs }, (reader) => readRollbackInputs(reader, { runAttempt }));
const checks = {
  healthTimeoutMs: 60_000,
  healthPath: undefined,
  compare: undefined,
  serving: "auto",
  smokeTests: [],
  verifyCommit: false,
};
const agent = { headers: {}, requestTimeoutMs: 30_000, allowHttp: false };
const options = { wait: true, timeoutMs: 1_800_000, pollIntervalMs: 3_000, checks, agent };
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

test("a re-run of a rollback must name the revision, because the newest one may be the bad version", () => {
  const readAgain = (reader: InputReader) => readRollbackInputs(reader, { runAttempt: 2 });

  expect(read({}, 2).problems).toEqual([
    "A re-run of a rollback needs revision_id: an earlier attempt may have changed which revision is live.",
  ]);
  expect(hintOf(access, readAgain)).toContain("Run the workflow again with the full ID of the revision");
  expect(read({ revision_id: "rev-1" }, 2).problems).toEqual([]);
});
