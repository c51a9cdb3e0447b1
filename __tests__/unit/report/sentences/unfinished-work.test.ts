import { describe, expect, test } from "@jest/globals";
import { hasEnded, type UnfinishedWork } from "../../../../src/report/facts.ts";
import type { Report } from "../../../../src/report/report.ts";
import { describeUnfinishedWork } from "../../../../src/report/sentences/unfinished-work.ts";
import { rawText, text } from "../../../../src/text/message.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { revisionOf } from "../../support/wire.ts";
import { factsWith, seen } from "../support/facts.ts";

type Step = (report: Report) => void;

/** What the facts say after these steps. */
function unfinishedAfter(...steps: readonly Step[]): string {
  const { report } = recordingContext({});
  for (const step of steps) step(report);
  return rawText(describeUnfinishedWork(report.facts) ?? text`nothing`);
}

const leaves =
  (unfinishedWork: UnfinishedWork | undefined): Step =>
  (report) =>
    report.setFacts({ unfinishedWork });
const failedCheck: Step = (report) =>
  report.check({
    kind: "health check",
    name: "/ok",
    passed: false,
    durationMs: 1,
    message: text`The health check failed: no response.`,
  });
const deletion = leaves({ kind: "deletion", title: "c" });
const rollback = leaves({ kind: "rollback", deploymentId: "d-1", earlierId: "r-0" });
const interruption = { kind: "interrupt", deploymentId: "d-1", revisionId: "r-1" } as const;
const deleted = (...titles: string[]) =>
  titles.map(
    (title): Step =>
      (report) =>
        report.deploymentDeleted(title),
  );
const status =
  (raw: string, statusMessage?: string): Step =>
  (report) =>
    report.polled(revisionOf({ status: raw, status_message: statusMessage }));
const written: Step[] = [(report) => report.setFacts({ title: "agent" }), (report) => report.requestSent(1)];
const unrecorded: Step[] = [
  ...written,
  (report) => report.deploymentId("d-1"),
  (report) => report.revision("r-1", { typicalMs: undefined, isResumed: false }),
];
const started: Step[] = [...unrecorded, (report) => report.setFacts({ notRecorded: undefined })];
const ended = [...started, status("BUILD_FAILED")];

describe("a run that is cancelled leaves behind", () => {
  test.each<[string, Step[], RegExp]>([
    ["nothing before its write", [], /^nothing$/],
    ["nothing after a write without effect", [...written, (report) => report.requestRejected()], /^nothing$/],
    [
      "maybe a revision",
      written,
      /^A revision of deployment agent may have been started and may still be running on the platform\.$/,
    ],
    [
      "maybe a revision, which could not be interrupted",
      [...written, (report) => report.setFacts({ interruptSkipped: true })],
      /may still be running on the platform\. It was not interrupted \(on_cancel: interrupt\)/,
    ],
    [
      "its revision",
      started,
      /^Revision r-1 of deployment d-1 is still running on the platform, and may go live without checks or a rollback\. Re-run this job to continue watching the same revision\.$/,
    ],
    [
      "its revision without a record",
      unrecorded,
      /^Revision r-1 .* a rollback\. A re-run of this job starts a new revision\. For re-runs to continue watching the same one, set environment/,
    ],
    [
      "its revision without a token",
      [...unrecorded, (report) => report.setFacts({ notRecorded: "no_token" })],
      /starts a new revision\. For re-runs to continue watching the same one, github_token must not be empty\.$/,
    ],
    [
      "its pending revision",
      [...started, status("QUEUED")],
      /^Revision r-1 .* is still running on the platform, and may go live without checks or a rollback\. Re-run this job to continue watching the same revision\.$/,
    ],
    ["its revision that has ended", ended, /^Revision r-1 of deployment d-1 is BUILD_FAILED\.$/],
    ["maybe what was being deleted", [deletion], /^The deletion of deployment c may have succeeded\.$/],
    ["nothing once the deletion had no effect", [deletion, leaves(undefined)], /^nothing$/],
    ["a deletion that succeeded", deleted("a"), /^Deployment a was deleted\.$/],
    [
      "deletions that succeeded and one that may have",
      [...deleted("a", "b"), deletion],
      /^Deployments a and b were deleted\. The deletion of deployment c may have succeeded\.$/,
    ],
    [
      "five deletions by name",
      deleted("a", "b", "c", "d", "e"),
      /^Deployments a, b, c, d and e were deleted\.$/,
    ],
    [
      "more deletions by number",
      deleted("a", "b", "c", "d", "e", "f", "g"),
      /^Deployments a, b, c, d, e and 2 more were deleted\.$/,
    ],
    [
      "no revision of a deployment that it deleted",
      [...started, ...deleted("a")],
      /^Deployment a was deleted\.$/,
    ],
    [
      "a rollback, and its own revision that failed",
      [...ended, rollback],
      /^The rollback of deployment d-1 to revision r-0 may still be running on the platform\. This run's own revision r-1 ended as BUILD_FAILED\.$/,
    ],
    [
      "a rollback, and the check that its own revision failed",
      [...started, status("DEPLOYED"), failedCheck, rollback],
      /r-1 ended as DEPLOYED, but failed the health check\. A re-run of this job deploys the same again\.$/,
    ],
    [
      "a rollback, and the reason why its own revision failed",
      [...started, status("BUILD_FAILED", "No disk"), rollback],
      /r-1 ended as BUILD_FAILED: No disk\.$/,
    ],
    [
      "an interruption",
      [...started, leaves({ ...interruption, result: { kind: "interrupted" } })],
      /^Revision r-1 of deployment d-1 was interrupted \(on_cancel: interrupt\)\.$/,
    ],
    [
      "a revision that may be interrupted",
      [
        ...started,
        leaves({ ...interruption, result: { kind: "unconfirmed", error: new Error("No response") } }),
      ],
      /^Revision r-1 .* may still be running on the platform\. .* interrupted: No response\.$/,
    ],
  ])("a cancelled run leaves behind %s", (_what, steps, expected) => {
    expect(unfinishedAfter(...steps)).toMatch(expected);
  });
});

test("what is unfinished within something unfinished is left behind first, and stays if it fails", async () => {
  const { report } = recordingContext({});
  const left: string[] = [];
  const note = () => left.push(rawText(describeUnfinishedWork(report.facts) ?? text`nothing`));
  const outer = { kind: "deletion", title: "a" } as const;
  const inner = { kind: "deletion", title: "b" } as const;

  await report.whileUnfinished(outer, async () => {
    await report.whileUnfinished(inner, async () => note());
    note();
  });
  note();
  await report.whileUnfinished(outer, () => Promise.reject(new Error("failed"))).catch(note);

  expect(left).toEqual([
    expect.stringContaining("deployment b may"),
    expect.stringContaining("deployment a may"),
    "nothing",
    expect.stringContaining("deployment a may"),
  ]);
});

test.each([
  [undefined, false],
  ["QUEUED", false],
  ["NEW_STATUS", false],
  ["DEPLOYED", true],
  ["SKIPPED", true],
])("a revision that was last seen as %s has ended: %p", (raw, expected) => {
  expect(hasEnded(raw === undefined ? factsWith() : seen("BUILDING", raw))).toBe(expected);
});
