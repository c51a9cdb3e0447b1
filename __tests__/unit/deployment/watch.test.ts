import { describe, expect, test } from "@jest/globals";
import type { Script } from "./support/scripted-platform.ts";
import { type Watching, watching } from "./support/watching.ts";

/** These statuses, each until so many seconds after the write; the last one for ever. */
function statuses(...steps: readonly (readonly [status: string, until: number])[]): Script {
  return (seconds) => ({ status: (steps.find(([, until]) => seconds < until) ?? steps.at(-1))?.[0] });
}

const building: Script = () => ({ status: "BUILDING" });
const deployed: Script = () => ({ status: "DEPLOYED" });

describe("a revision is polled", () => {
  test("soon after a change of its status, then less often, and once more when the time is up", async () => {
    const { polls, ending } = await watching({
      ours: statuses(["QUEUED", 1], ["BUILDING", 20], ["DEPLOYING", 1000]),
      timeoutSeconds: 30,
    });

    expect(ending.outcome).toBe("timed_out");
    // A second and a quarter of the time in the status, at most four seconds.
    expect(polls.map((at) => Number(at.toFixed(3)))).toEqual([
      0, 1, 2, 3.25, 4.813, 6.766, 9.208, 12.26, 16.075, 20.075, 21.075, 22.325, 23.888, 25.841, 28.283, 30,
    ]);
  });

  test("more often around its expected end", async () => {
    const ours = statuses(["BUILDING", 41], ["DEPLOYED", 0]);

    const { polls } = await watching({ ours, typicalSeconds: 40 });

    const delays = polls
      .slice(1)
      .map((at, index) => ({ from: polls[index] ?? 0, length: at - (polls[index] ?? 0) }));
    const longest = (part: typeof delays) => Math.max(...part.map(({ length }) => length));
    expect(longest(delays.filter(({ from }) => from < 25))).toBeCloseTo(4);
    expect(longest(delays.filter(({ from }) => from > 38))).toBeLessThan(1.7);
  });

  test("no sooner than the platform asks for", async () => {
    const ours: Script = (seconds) => (seconds < 1 ? { code: 429, retryAfter: 17 } : { status: "DEPLOYED" });

    expect((await watching({ ours })).polls).toEqual([0, 17]);
  });

  test.each([
    ["BUILD_FAILED", "failed"],
    ["SKIPPED", "superseded"],
    ["INTERRUPTED", "interrupted"],
  ])("until it is %s, and then ends as %s", async (status, outcome) => {
    const { ending, polls, revision, deploymentReads } = await watching({
      ours: statuses(["BUILDING", 1], [status, 0]),
    });

    expect(ending.outcome).toBe(outcome);
    expect(revision?.status.raw).toBe(status);
    expect({ polls, deploymentReads }).toEqual({ polls: [0, 1], deploymentReads: 0 });
  });

  test("until it is live", async () => {
    const deployment = () => ({ url: "https://agent.example/" });

    expect(await watching({ ours: deployed, deployment })).toMatchObject({
      ending: { outcome: "deployed", headline: "Revision ours is live at https://agent.example/." },
      revision: { id: "ours", status: { kind: "deployed" } },
      url: "https://agent.example/",
    });
  });
});

describe("a failed poll", () => {
  test("is logged once as long as it stays the same, and again after a successful one", async () => {
    const isFailing = (seconds: number) => seconds < 20 || (seconds > 40 && seconds < 60);
    const ours: Script = (seconds) =>
      isFailing(seconds) ? { code: 502 } : { status: seconds < 70 ? "BUILDING" : "DEPLOYED" };

    const { ending, lines } = await watching({ ours });

    expect(ending.outcome).toBe("deployed");
    const failures = lines.filter(({ text }) => text.includes("502"));
    expect(failures).toEqual(Array(2).fill({ kind: "info", text: expect.stringMatching(/ Retrying\.$/) }));
  });

  test("with 404 in the first minute means that the revision is not visible yet", async () => {
    const ours: Script = (seconds) =>
      seconds < 59.5 ? { code: 404, retryAfter: 59 } : { status: "DEPLOYED" };

    const { ending, lines } = await watching({ ours });

    expect(ending.outcome).toBe("deployed");
    expect(lines).toEqual([{ kind: "info", text: "The revision is not visible yet. Retrying." }]);
  });

  test("with 404 is a failure like any other if the revision was visible before", async () => {
    const ours: Script = (seconds) => {
      if (seconds < 1) return { status: "BUILDING" };
      return seconds < 30 ? { code: 404, retryAfter: 29 } : { status: "DEPLOYED" };
    };

    const { ending, lines } = await watching({ ours });

    expect(ending.outcome).toBe("deployed");
    expect(lines).toEqual([{ kind: "info", text: expect.stringMatching(/404.* Retrying\.$/) }]);
  });

  test("with 404 after a minute ends the watching", async () => {
    const ours: Script = (seconds) =>
      seconds <= 60 ? { code: 404, retryAfter: 60 } : { status: "DEPLOYED" };

    await expect(watching({ ours })).rejects.toMatchObject({ status: 404 });
  });

  test.each([401, 403])("with %d ends the watching", async (code) => {
    await expect(watching({ ours: () => ({ code }) })).rejects.toMatchObject({ status: code });
  });
});

describe("when the time is up", () => {
  test("the ending shows the last status and the failure of the last poll", async () => {
    const ours: Script = (seconds) => (seconds < 50 ? { status: "BUILDING" } : { code: 500 });

    expect((await watching({ ours })).ending).toMatchObject({
      outcome: "timed_out",
      headline: "After 1 min 40 s revision ours was BUILDING when it was last seen.",
      details: [expect.stringMatching(/^The last poll failed: .*500/)],
    });
  });

  test("the ending shows no failure if a later poll succeeded", async () => {
    const ours: Script = (seconds) => (seconds < 50 ? { code: 500 } : { status: "BUILDING" });

    const { ending } = await watching({ ours });

    expect(ending.headline).toBe("After 1 min 40 s revision ours is still BUILDING.");
    expect(ending.details).toBeUndefined();
  });

  test("the ending says that the revision was never seen", async () => {
    const { ending, revision } = await watching({ ours: () => ({ code: 503 }), timeoutSeconds: 10 });

    expect(ending.headline).toBe("After 10 s revision ours was never seen.");
    expect(revision).toBeUndefined();
  });
});

describe("what a poll shows", () => {
  test("is emitted: revision, changes of its status with their time, and the deployment", async () => {
    const { events } = await watching({
      ours: (seconds) => ({
        status: seconds < 3 ? "BUILDING" : "DEPLOYED",
        status_message: "fine",
        source_revision_config: { repo_commit_sha: "abc" },
      }),
      deployment: () => ({ name: "shown" }),
    });

    const read = { kind: "revision_read", commitSha: "abc", statusMessage: "fine" };
    const changed = (raw: string) => ({
      kind: "status_changed",
      status: expect.objectContaining({ raw }),
      at: expect.any(Number),
    });
    expect(events).toEqual([
      changed("BUILDING"),
      read,
      read,
      read,
      changed("DEPLOYED"),
      read,
      { kind: "deployment_seen", deployment: expect.objectContaining({ name: "shown" }) },
    ]);
    const times = events.flatMap((event) => (event.kind === "status_changed" ? event.at : []));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(3813);
  });

  test("is logged if it is an unknown status, once each", async () => {
    const { lines } = await watching({
      ours: statuses(["PAUSED", 10], ["QUEUED", 20], ["PAUSED", 30], ["RESUMED", 40], ["DEPLOYED", 0]),
    });

    expect(lines).toEqual(
      ["PAUSED", "RESUMED"].map((status) => ({
        kind: "info",
        text: expect.stringMatching(`^Unknown status ${status};`),
      })),
    );
  });
});

test.each<[string, Watching, number]>([
  ["calls back while the revision is pending", { ours: building }, 1],
  ["calls back if the revision was never seen", { ours: () => ({ code: 503 }) }, 1],
  [
    "does not call back once the revision has ended",
    { ours: deployed, deployment: () => ({ code: 503 }) },
    0,
  ],
])("a cancellation %s", async (_what, given, expected) => {
  let calls = 0;
  const onCancel = async () => {
    calls += 1;
  };

  await expect(watching({ ...given, cancelAt: 5, onCancel })).rejects.toThrow("cancelled");
  await expect(watching({ ...given, cancelAt: 5 })).rejects.toThrow("cancelled");

  expect(calls).toBe(expected);
});

test("another error than a cancellation does not call back", async () => {
  const onCancel = () => Promise.reject(new Error("called"));

  await expect(watching({ ours: () => ({ code: 401 }), onCancel })).rejects.toMatchObject({ status: 401 });
});
