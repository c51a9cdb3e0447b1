import { describe, expect, test } from "@jest/globals";
import { type Answer, type Script, watching } from "./support/watching.ts";

/** These statuses, each until so many seconds after the write; the last one for ever. */
function statuses(...steps: readonly (readonly [status: string, until: number])[]): Script {
  return (seconds) => ({ status: (steps.find(([, until]) => seconds < until) ?? steps.at(-1))?.[0] ?? "" });
}

const building: Script = () => ({ status: "BUILDING" });
const live: Script = () => ({ status: "DEPLOYED" });
const failing = (code: number, retryAfter?: number): Answer => ({
  code,
  ...(retryAfter !== undefined && { retryAfter }),
});

describe("it looks", () => {
  test("soon after a change of status, then less and less often, and once more at the deadline", async () => {
    const { looks, ending } = await watching({
      ours: statuses(["QUEUED", 1], ["BUILDING", 20], ["DEPLOYING", 1000]),
      timeoutSeconds: 30,
    });
    expect(ending.outcome).toBe("timed_out");
    // A second and a quarter of the time in the status, four seconds at the most.
    const expected = [
      0, 1, 2, 3.25, 4.813, 6.766, 9.208, 12.26, 16.075, 20.075, 21.075, 22.325, 23.888, 25.841, 28.283, 30,
    ];
    expect(looks.map((at) => Number(at.toFixed(3)))).toEqual(expected);
  });

  test("more often around the usual end", async () => {
    const { looks } = await watching({ ours: statuses(["BUILDING", 41], ["DEPLOYED", 0]), usualSeconds: 40 });
    const pauses = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
    const longest = Math.max(...pauses.filter((_pause, index) => (looks[index] ?? 0) < 25));
    expect(longest).toBeCloseTo(4);
    expect(Math.max(...pauses.filter((_pause, index) => (looks[index] ?? 0) > 38))).toBeLessThan(1.7);
  });

  test("no sooner than the platform asked for", async () => {
    const { looks } = await watching({
      ours: (seconds) => (seconds < 1 ? failing(429, 17) : { status: "DEPLOYED" }),
    });
    expect(looks).toEqual([0, 17]);
  });
});

describe("what a look fails at", () => {
  test("is told once as long as it stays the same, and again after a look that succeeded", async () => {
    const { lines, ending } = await watching({
      ours: (seconds) =>
        seconds < 20 || (seconds > 40 && seconds < 60)
          ? failing(502)
          : { status: seconds < 70 ? "BUILDING" : "DEPLOYED" },
    });
    expect(ending.outcome).toBe("deployed");
    const misses = lines.filter(({ text }) => text.includes("502"));
    expect(misses).toHaveLength(2);
    for (const { kind, text } of misses)
      expect([kind, text]).toEqual(["info", expect.stringMatching(/ Looking again\.$/)]);
  });

  test("is nothing to worry about where it is a 404 in the first minute", async () => {
    const { ending, lines } = await watching({
      ours: (seconds) => (seconds < 59.5 ? failing(404, 59) : { status: "DEPLOYED" }),
    });
    expect(ending.outcome).toBe("deployed");
    expect(lines).toEqual([{ kind: "info", text: "The revision isn't shown yet." }]);
  });

  test("isn't called not yet shown where it was seen before", async () => {
    const { ending, lines } = await watching({
      ours: (seconds) =>
        seconds < 1 ? building(0) : seconds < 30 ? failing(404, 29) : { status: "DEPLOYED" },
    });
    expect(ending.outcome).toBe("deployed");
    expect(lines.filter(({ text }) => text.includes("shown yet"))).toEqual([]);
    expect(lines).toContainEqual({ kind: "info", text: expect.stringMatching(/404.* Looking again\.$/) });
  });

  test("ends it where it is a 404 after a minute", async () => {
    await expect(
      watching({ ours: (seconds) => (seconds <= 60 ? failing(404, 60) : live(seconds)) }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test.each([401, 403])("%d ends it", async (code) => {
    await expect(watching({ ours: () => failing(code) })).rejects.toMatchObject({ status: code });
  });

  test("is told where the time runs out", async () => {
    const { ending } = await watching({ ours: (seconds) => (seconds < 50 ? building(0) : failing(500)) });
    expect(ending).toMatchObject({
      outcome: "timed_out",
      message: expect.stringMatching(
        /^After 1 min 40 s revision ours was BUILDING when it was last seen\. The last look failed: .*500/,
      ),
    });
  });

  test("isn't, where a later look succeeded", async () => {
    const { ending } = await watching({ ours: (seconds) => (seconds < 50 ? failing(500) : building(0)) });
    expect(ending.message).toBe("After 1 min 40 s revision ours is still BUILDING.");
  });

  test("leaves a revision that never showed as never seen", async () => {
    const { ending } = await watching({ ours: () => failing(503), timeoutSeconds: 10 });
    expect(ending.message).toMatch(/^After 10 s revision ours was never seen\. The last look failed: /);
  });
});

describe("the facts", () => {
  test("hold what the platform shows of revision and deployment", async () => {
    const { progress } = await watching({
      ours: () => ({ status: "DEPLOYED", status_message: "fine" }),
      deployment: () => ({ url: "https://agent.example/", name: "shown" }),
    });
    expect(progress.facts).toMatchObject({
      statusMessage: "fine",
      url: "https://agent.example/",
      name: "shown",
      created: false,
      statuses: [{ status: "DEPLOYED" }],
    });
  });

  test("a status that nobody knows is told as new once each time it is another", async () => {
    const { lines } = await watching({
      ours: statuses(["PAUSED", 10], ["QUEUED", 20], ["PAUSED", 30], ["RESUMED", 40], ["DEPLOYED", 0]),
    });
    expect(lines.map(({ text }) => text)).toEqual([
      "The status PAUSED is new to this action; it counts as not ended yet.",
      "The status RESUMED is new to this action; it counts as not ended yet.",
    ]);
  });
});

test.each([
  ["BUILD_FAILED", "failed"],
  ["SKIPPED", "superseded"],
  ["INTERRUPTED", "interrupted"],
])("a revision that ends as %s ends it as %s", async (status, outcome) => {
  const { ending, looks } = await watching({ ours: statuses(["BUILDING", 1], [status, 0]) });
  expect(ending.outcome).toBe(outcome);
  expect(looks).toEqual([0, 1]);
});

test("one that is live ends it", async () => {
  const { ending } = await watching({ ours: live });
  expect(ending).toEqual({ outcome: "deployed", message: "Revision ours is live." });
});
