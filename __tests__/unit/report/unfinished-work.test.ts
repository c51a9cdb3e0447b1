import { describe, expect, test } from "@jest/globals";
import type { Report } from "../../../src/report/report.ts";
import { describeUnfinishedWork } from "../../../src/report/unfinished-work.ts";
import { code, rawText, text } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { revisionOf } from "../support/wire.ts";
import { factsWith, seen } from "./support/facts.ts";

type Step = (report: Report) => void;

/** What the facts say after these steps. */
function unfinishedAfter(...steps: readonly Step[]): string {
  const { report } = recordingContext({});
  for (const step of steps) step(report);
  return rawText(describeUnfinishedWork(report.facts));
}

const leaves =
  (words: string | undefined): Step =>
  (report) =>
    report.unfinishedWork(words === undefined ? undefined : text`${code(words)}`);
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
const written: Step[] = [(report) => report.planned({ title: "agent" }), (report) => report.requestSent(1)];
const started: Step[] = [
  ...written,
  (report) => report.deploymentId("d-1"),
  (report) => report.revision("r-1", { typicalMs: undefined, isResumed: false }),
];
const ended = [...started, status("BUILD_FAILED")];

describe("a run that is cancelled leaves behind", () => {
  test.each<[string, Step[], RegExp]>([
    ["nothing before its write", [], /^No changes were sent\.$/],
    [
      "nothing after a write without effect",
      [...written, (report) => report.requestRejected()],
      /^No changes were sent\.$/,
    ],
    [
      "maybe a revision",
      written,
      /^A revision of deployment agent may have been started and may still be running on the platform\.$/,
    ],
    [
      "maybe a revision, which could not be interrupted",
      [...written, (report) => report.interruptSkipped()],
      /may still be running on the platform\. It was not interrupted \(on_cancel: interrupt\)/,
    ],
    ["its revision", started, /^Revision r-1 of deployment d-1 is still running on the platform\.$/],
    [
      "its pending revision",
      [...started, status("QUEUED")],
      /^Revision r-1 .* is still running on the platform\.$/,
    ],
    ["its revision that has ended", ended, /^Revision r-1 of deployment d-1 is BUILD_FAILED\.$/],
    [
      "its revision without a result of the health check",
      [...started, status("DEPLOYED"), (report) => report.runningCheck(text`health check`)],
      /is DEPLOYED\. Its health check was not finished\.$/,
    ],
    ["maybe what was being deleted", [leaves("It may be deleted.")], /^It may be deleted\.$/],
    [
      "nothing once the deletion had no effect",
      [leaves("It may be deleted."), leaves(undefined)],
      /^No changes/,
    ],
    [
      "a deletion that succeeded",
      [leaves("It may be deleted."), ...deleted("a")],
      /^Deployment a was deleted\.$/,
    ],
    [
      "deletions that succeeded and one that may have",
      [...deleted("a", "b"), leaves("c may be deleted.")],
      /^Deployments a and b were deleted\. c may be deleted\.$/,
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
      [...ended, leaves("The rollback is still running.")],
      /^The rollback is still running\. This run's own revision r-1 ended as BUILD_FAILED\.$/,
    ],
    [
      "a rollback, and the reason why its own revision failed",
      [...started, status("BUILD_FAILED", "No disk"), leaves("The rollback is still running.")],
      /r-1 ended as BUILD_FAILED: No disk\.$/,
    ],
    ["an interruption", [...started, leaves("It was interrupted.")], /^It was interrupted\.$/],
  ])("a cancelled run leaves behind %s", (_what, steps, expected) => {
    expect(unfinishedAfter(...steps)).toMatch(expected);
  });
});

test.each([
  [undefined, false],
  ["QUEUED", false],
  ["NEW_STATUS", false],
  ["DEPLOYED", true],
  ["SKIPPED", true],
])("a revision that was last seen as %s has ended: %p", (raw, expected) => {
  expect(factsWith(raw === undefined ? {} : seen("BUILDING", raw)).hasEnded).toBe(expected);
});
