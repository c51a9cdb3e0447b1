import { describe, expect, test } from "@jest/globals";
import type { Script } from "./support/scripted-platform.ts";
import { type Watching, watching } from "./support/watching.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString();
const deployedAt =
  (minute?: number): Script =>
  () => ({ status: "DEPLOYED", ...(minute !== undefined && { created_at: at(minute) }) });
const building: Script = () => ({ status: "BUILDING", created_at: at(5) });
const unreadable: Script = () => ({ code: 500 });
const showing =
  (id: string | null): Script =>
  () => ({ active_revision_id: id });

describe("a DEPLOYED revision", () => {
  test.each<[string, Watching]>([
    ["the platform shows it as live", { ours: deployedAt(5), deployment: showing("ours") }],
    ["the platform shows it as live in another case", { ours: deployedAt(5), deployment: showing("OURS") }],
    ["the platform shows none as live", { ours: deployedAt(5), deployment: showing(null) }],
    ["the platform does not show which is live", { ours: deployedAt(5) }],
  ])("is live if %s", async (_what, given) => {
    const { ending } = await watching(given);

    expect(ending).toEqual({ outcome: "deployed", headline: "Revision ours is live." });
  });

  test.each<[string, Watching]>([
    ["that was created later", { ours: deployedAt(5), other: deployedAt(6) }],
    ["that was created at the same time", { ours: deployedAt(5), other: deployedAt(5) }],
    ["that is new and shows no time", { ours: deployedAt(), other: deployedAt() }],
  ])("was deployed if the live one is one %s, and the result names that one", async (_what, given) => {
    const { ending, liveRevisionId } = await watching({ ...given, deployment: showing("other") });

    expect(ending).toMatchObject({
      outcome: "deployed",
      headline: expect.stringMatching(/ours was deployed.*newer revision other is live/),
    });
    expect(liveRevisionId).toBe("other");
  });

  test.each<[string, Watching, string]>([
    [
      "existed before",
      { ours: deployedAt(5), other: deployedAt(9), before: ["other"] },
      "the older revision other is still live",
    ],
    [
      "was created earlier",
      { ours: deployedAt(5), other: deployedAt(4) },
      "the older revision other is still live",
    ],
    ["can't be read", { ours: deployedAt(5), other: unreadable }, "revision other is live"],
  ])("failed if the live one stays one that %s, and the wait is logged once", async (_what, given, which) => {
    const { ending, lines, polls, deploymentReads } = await watching({
      ...given,
      deployment: showing("other"),
    });

    expect(ending).toMatchObject({
      outcome: "failed",
      headline: `Revision ours is DEPLOYED, but after 1 min 40 s ${which}.`,
    });
    expect(lines).toEqual([
      { kind: "info", text: expect.stringMatching(/ours is DEPLOYED, but other is still live/) },
    ]);
    expect(polls.at(-1)).toBe(100);
    expect(deploymentReads).toBe(polls.length);
  });

  test("is live once the platform switches to it", async () => {
    const deployment: Script = (seconds) => ({ active_revision_id: seconds < 10 ? "other" : "ours" });

    const { ending, polls } = await watching({ ours: deployedAt(5), before: ["other"], deployment });

    expect(ending.outcome).toBe("deployed");
    expect(polls.at(-1)).toBeLessThan(15);
  });
});

describe("a DEPLOYED revision of a deployment that can't be read", () => {
  const given = { ours: deployedAt(5), timeoutSeconds: 1 };

  test("is not called live", async () => {
    const { ending } = await watching({ ours: deployedAt(5), deployment: unreadable });

    expect(ending).toMatchObject({
      outcome: "timed_out",
      headline: expect.stringMatching(/is DEPLOYED, but .* could not be read\.$/),
      details: [expect.stringContaining("500")],
    });
  });

  test("is live if the very last read shows it", async () => {
    const deployment: Script = (_seconds, read) => (read < 3 ? { code: 500 } : {});

    const { ending, deploymentReads } = await watching({ ...given, deployment });

    expect(ending.outcome).toBe("deployed");
    expect(deploymentReads).toBe(3);
  });

  test("timed out if the very last read fails too", async () => {
    const { ending, deploymentReads } = await watching({
      ...given,
      other: deployedAt(6),
      deployment: unreadable,
    });

    expect(ending.outcome).toBe("timed_out");
    expect(deploymentReads).toBe(3);
  });

  test.each([401, 403])("because of a %d ends the watching", async (code) => {
    const deployment = () => ({ code });

    await expect(watching({ ours: deployedAt(5), deployment })).rejects.toMatchObject({ status: code });
  });
});

describe("a revision that is still BUILDING when the time is up", () => {
  test("is superseded if a newer one is live", async () => {
    const { ending } = await watching({ ours: building, other: deployedAt(6), deployment: showing("other") });

    expect(ending).toMatchObject({
      outcome: "superseded",
      headline: expect.stringMatching(/^After 1 min 40 s the newer revision other is live; revision ours/),
    });
  });

  test.each<[string, Partial<Watching>]>([
    ["an older one is live", { other: deployedAt(4), deployment: showing("other") }],
    ["one that existed before is live", { before: ["other"], deployment: showing("other") }],
    ["the live one can't be read", { other: unreadable, deployment: showing("other") }],
    ["none is live", { deployment: showing(null) }],
    ["it is live although it is not DEPLOYED", { deployment: showing("ours") }],
    ["the deployment can't be read", { deployment: unreadable }],
  ])("timed out if %s", async (_what, given) => {
    const { ending } = await watching({ ours: building, ...given });

    expect(ending).toMatchObject({
      outcome: "timed_out",
      headline: "After 1 min 40 s revision ours is still BUILDING.",
    });
  });
});

test("a revision that was never seen timed out, even if a newer one is live", async () => {
  const { ending } = await watching({ ours: unreadable, other: deployedAt(6), deployment: showing("other") });

  expect(ending.outcome).toBe("timed_out");
});
