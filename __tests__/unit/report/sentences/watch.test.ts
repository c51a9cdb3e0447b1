import { expect, test } from "@jest/globals";
import type { Ending } from "../../../../src/errors.ts";
import { Failure } from "../../../../src/errors.ts";
import { describeWatch } from "../../../../src/report/sentences/watch.ts";
import type { RedeployResult } from "../../../../src/results/rollback.ts";
import type { NotLiveYet, WatchResultOf } from "../../../../src/results/watch.ts";
import { rawText, text } from "../../../../src/text/message.ts";
import { revisionOf } from "../../support/wire.ts";

const revision = (status = "DEPLOYED", fields: object = {}) => revisionOf({ id: "r1", status, ...fields });
const waitedMs = 1_800_000;

/** The texts of a result, as they are. */
function texts({ outcome, message, details = [], hint }: Ending) {
  return {
    outcome,
    message: rawText(message),
    details: details.map(rawText),
    hint: hint && rawText(hint),
  };
}

const describeAs = (watched: RedeployResult) => texts(describeWatch(watched));

test.each([
  [
    "BUILD_FAILED",
    "failed",
    "Revision r1 failed with status BUILD_FAILED.",
    /app_config_path, repo_ref and secrets/,
  ],
  [
    "SKIPPED",
    "superseded",
    "Revision r1 was superseded by a newer revision and ended as SKIPPED.",
    /concurrency group/,
  ],
  [
    "INTERRUPTED",
    "interrupted",
    "Revision r1 was interrupted on the platform and ended as INTERRUPTED.",
    /Run this job again/,
  ],
])("a revision that ended as %s is %s", (status, outcome, message, hint) => {
  const watched = { kind: "ended", revision: revision(status) } as const;

  expect(describeAs(watched)).toEqual({ outcome, message, details: [], hint: expect.stringMatching(hint) });
});

test.each([
  ["ref", "app_config_path, repo_ref and secrets"],
  ["upload", "app_config_path, source_path and secrets"],
  ["image", "image_uri and secrets"],
] as const)(
  "a revision of %s that failed shows the platform's reason, and what to look at",
  (builtFrom, inputs) => {
    const failed = revision("BUILD_FAILED", { status_message: "No module named x" });

    expect(describeAs({ kind: "ended", revision: failed, shownLog: "build", builtFrom })).toMatchObject({
      details: ["The platform says: No module named x."],
      hint: `Fix the error in the log. The end of the build log is in the job summary. If that does not help, check ${inputs}.`,
    });
  },
);

test("a syntax error whose line the server does not report leads to its file", () => {
  const watched = { kind: "ended", revision: revision("BUILD_FAILED"), shownLog: "build" } as const;

  expect(describeAs({ ...watched, place: { path: "agent.js" } }).hint).toBe(
    "Fix the syntax error in agent.js. An editor shows its line. The end of the build log is in the job summary.",
  );
});

test("a syntax error whose file the log does not name leads to the log", () => {
  const watched = { kind: "ended", revision: revision("DEPLOY_FAILED"), shownLog: "deploy" } as const;

  expect(describeAs({ ...watched, cause: { kind: "syntax_error" } }).hint).toBe(
    "Fix the syntax error that the log shows. The end of the deploy log is in the job summary.",
  );
});

test.each([
  [undefined, "Revision r1 is live."],
  ["https://agent.example/", "Revision r1 is live at https://agent.example/."],
])("a live revision with URL %s is deployed", (url, message) => {
  const watched = { kind: "live", revision: revision(), url, repoUrl: undefined } as const;

  expect(describeAs(watched)).toMatchObject({ outcome: "deployed", message });
});

test.each<[NotLiveYet, string]>([
  [{ kind: "older", id: "r0" }, "the older revision r0 is still live."],
  [{ kind: "unknown", id: "r0" }, "revision r0 is live."],
  [{ kind: "none", previousId: "r0" }, "no revision is live. Before this run, r0 was live."],
])("a revision that never became live failed: %j", (live, reason) => {
  expect(describeAs({ kind: "not_live", revision: revision(), live, waitedMs })).toMatchObject({
    outcome: "failed",
    message: `Revision r1 is DEPLOYED, but after 30 min, ${reason}`,
    hint: expect.stringContaining("timeout_seconds"),
  });
});

test.each<[string, RedeployResult, string, string]>([
  [
    "replaced",
    { kind: "replaced", revision: revision(), liveRevisionId: "r2", repoUrl: undefined },
    "deployed",
    "Revision r1 was deployed. The newer revision r2 is live now.",
  ],
  [
    "overtaken",
    { kind: "overtaken", revision: revision("BUILDING"), liveRevisionId: "r2", waitedMs },
    "superseded",
    "After 30 min, the newer revision r2 is live. Revision r1 was not deployed.",
  ],
  [
    "of a different source",
    { kind: "other_source", revision: revision() },
    "failed",
    "The platform reports a different source for revision r1 from the one that this run sent.",
  ],
  [
    "that existed before",
    { kind: "existed_before", revision: revision() },
    "failed",
    "The platform named revision r1 as this run's, but that revision existed before the run.",
  ],
  [
    "of a different commit than the one to roll back to",
    { kind: "other_commit", revision: revision(), earlierId: "r0", built: "abc", wanted: "def" },
    "failed",
    "Revision r1 deploys the source of revision r0, but was built from commit abc instead of def.",
  ],
  [
    "of a deployment that is being deleted",
    { kind: "being_deleted", revision: revision(), deploymentId: "d" },
    "failed",
    "Revision r1 is DEPLOYED, but deployment d is being deleted.",
  ],
])("a revision that is %s", (_what, watched, outcome, message) => {
  expect(describeAs(watched)).toMatchObject({ outcome, message });
});

const unreadable = "After 30 min, revision r1 is DEPLOYED, but which revision is live could not be read.";

test.each([
  [undefined, undefined, "After 30 min, revision r1 was still not visible."],
  ["BUILDING", undefined, "After 30 min, revision r1 is still BUILDING."],
  ["BUILDING", "No response.", "After 30 min, revision r1 was BUILDING when it was last seen."],
  ["DEPLOYED", undefined, unreadable],
  ["DEPLOYED", "No response.", unreadable],
])("a revision last seen as %s timed out; the last poll failed with %s", (status, failed, message) => {
  const failure = failed && new Failure(text`No response.`, { hint: text`h` });
  const watched: WatchResultOf<"timed_out"> = {
    kind: "timed_out",
    revisionId: "r1",
    revision: status === undefined ? undefined : revision(status),
    failure: failure || undefined,
    waitedMs,
  };

  const state = failed === undefined ? "is still running" : "may still be running";
  expect(describeAs(watched)).toEqual({
    outcome: "timed_out",
    message,
    details: [
      `It ${state} on the platform, and may go live without the checks and the rollback of this step.`,
      ...(failed === undefined ? [] : ["The last poll failed: No response."]),
    ],
    hint: expect.stringMatching(/^If it usually takes this long, raise timeout_seconds\. A stuck/),
  });
});
