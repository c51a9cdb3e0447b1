import { describe, expect, test } from "@jest/globals";
import { CancelledError } from "../../../../src/errors.ts";
import type { Script } from "../support/scripted-platform.ts";
import { type Watching, watching } from "../support/watching.ts";

/** These statuses, each until so many seconds after the request; the last one for ever. */
function statuses(...steps: readonly (readonly [status: string, until: number])[]): Script {
  return (seconds) => ({ status: (steps.find(([, until]) => seconds < until) ?? steps.at(-1))?.[0] });
}

const deployed: Script = () => ({ status: "DEPLOYED" });
const building: Script = () => ({ status: "BUILDING" });

describe("a revision is polled", () => {
  test("every poll_interval_seconds, and once more when the time is up", async () => {
    const { polls, result } = await watching({
      ours: statuses(["QUEUED", 1], ["BUILDING", 9], ["DEPLOYING", 1000]),
      timeoutSeconds: 20,
    });

    expect(result?.kind).toBe("timed_out");
    expect(polls).toEqual([0, 3, 6, 9, 12, 15, 18, 20]);
  });

  test("no sooner than the platform asks for", async () => {
    const ours: Script = (seconds) => (seconds < 1 ? { code: 429, retryAfter: 17 } : { status: "DEPLOYED" });

    expect((await watching({ ours })).polls).toEqual([0, 17]);
  });
});

describe("a failed poll", () => {
  test("with 404 in the first minute means that the revision is not visible yet", async () => {
    const ours: Script = (seconds) =>
      seconds < 59.5 ? { code: 404, retryAfter: 59 } : { status: "DEPLOYED" };

    const { result, lines } = await watching({ ours });

    expect(result?.kind).toBe("live");
    expect(lines[0]).toEqual({ kind: "info", text: "The revision is not visible yet. Retrying." });
  });

  test("with 404 is a failure like any other if the revision was visible before", async () => {
    const ours: Script = (seconds) => {
      if (seconds < 1) return { status: "BUILDING" };
      return seconds < 30 ? { code: 404, retryAfter: 29 } : { status: "DEPLOYED" };
    };

    const { result, lines } = await watching({ ours });

    expect(result?.kind).toBe("live");
    expect(lines).toContainEqual({ kind: "info", text: expect.stringMatching(/404.* Retrying\.$/) });
  });

  test("with 404 after a minute ends the watch", async () => {
    const { error } = await watching({ ours: () => ({ code: 404, retryAfter: 60 }) });

    expect(error).toMatchObject({ status: 404 });
  });
});

describe("when the time is up, the result holds", () => {
  test("the revision as last read, and the failure of the last poll", async () => {
    const ours: Script = (seconds) => (seconds < 50 ? { status: "BUILDING" } : { code: 500 });

    expect((await watching({ ours })).result).toMatchObject({
      kind: "timed_out",
      revision: { status: { raw: "BUILDING" } },
      failure: { status: 500 },
      waitedMs: 100_000,
    });
  });

  test("no revision if it was never seen", async () => {
    const { result } = await watching({ ours: () => ({ code: 503 }), timeoutSeconds: 10 });

    expect(result).toMatchObject({ kind: "timed_out", revisionId: "ours", revision: undefined });
  });
});

test("what a poll shows is a fact, and a status is logged when it changes, an unknown one once", async () => {
  const status = statuses(["PAUSED", 5], ["QUEUED", 8], ["PAUSED", 11], ["DEPLOYED", 0]);
  const fields = { status_message: "fine", source_revision_config: { repo_commit_sha: "c".repeat(40) } };
  const ours: Script = (seconds, request) => ({ ...status(seconds, request), ...fields });

  const { facts, lines } = await watching({ ours });

  expect(facts).toMatchObject({ commitSha: "c".repeat(40), statusMessage: "fine" });
  const [start = 0, ...others] = facts.statuses.map(({ at }) => at);
  expect(others.map((at) => at - start)).toEqual([6000, 9000, 12_000]);
  expect(lines.map(({ text }) => text)).toEqual([
    "Unknown status PAUSED; treating it as in progress.",
    "[0 s] PAUSED",
    "[6 s] QUEUED",
    "[9 s] PAUSED",
    "[12 s] DEPLOYED",
  ]);
});

describe("on_cancel: interrupt", () => {
  const cancelled = new CancelledError("SIGINT");

  test.each<[string, Partial<Watching>, number]>([
    ["interrupts a revision that was never seen", { ours: () => ({ code: 503 }) }, 1],
    ["leaves one that has ended", { ours: deployed, deployment: () => ({ code: 503 }) }, 0],
    ["leaves one of a preview that is no longer wanted", { reason: new Error("closed") }, 0],
  ])("a cancelled run %s", async (_what, given, expected) => {
    const { interrupts, error } = await watching({
      ours: building,
      cancelAt: 5,
      reason: cancelled,
      interruptOnCancel: true,
      ...given,
    });

    expect(interrupts).toBe(expected);
    expect(error).toBe(given.reason ?? cancelled);
  });
});
