import { describe, expect, test } from "@jest/globals";
import { type Script, type Watching, watching } from "./support/watching.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString();
const deployedAt =
  (minute?: number): Script =>
  () => ({ status: "DEPLOYED", ...(minute !== undefined && { created_at: at(minute) }) });
const building: Script = () => ({ status: "BUILDING", created_at: at(5) });
const showing =
  (id: string | null): Script =>
  () => ({ active_revision_id: id });

const newerIsLive = "Revision ours was deployed; the newer revision other is live by now.";
const waiting = "Revision ours is DEPLOYED, but other is still the live one; waiting for ours.";

describe("ours is DEPLOYED, and the platform shows as live", () => {
  test.each<[string, Watching]>([
    ["ours", { ours: deployedAt(5), deployment: showing("ours") }],
    ["none", { ours: deployedAt(5), deployment: showing(null) }],
  ])("%s: it is live", async (_what, given) => {
    expect((await watching(given)).ending).toEqual({
      outcome: "deployed",
      message: "Revision ours is live.",
    });
  });

  test.each<[string, Watching]>([
    ["one made later", { ours: deployedAt(5), other: deployedAt(6) }],
    ["one made at the same moment", { ours: deployedAt(5), other: deployedAt(5) }],
    ["one that wasn't there before, and no times", { ours: deployedAt(), other: deployedAt() }],
  ])("%s: ours was deployed, which a notice tells", async (_what, given) => {
    const { ending, lines } = await watching({ ...given, deployment: showing("other") });
    expect(ending).toEqual({ outcome: "deployed", message: newerIsLive });
    expect(lines).toEqual([{ kind: "notice", text: newerIsLive }]);
  });

  test.each<[string, Watching, string]>([
    [
      "one that was there before",
      { ours: deployedAt(5), other: deployedAt(9), before: ["other"] },
      "still the older revision other",
    ],
    ["one made earlier", { ours: deployedAt(5), other: deployedAt(4) }, "still the older revision other"],
    ["one that can't be read", { ours: deployedAt(5), other: () => ({ code: 500 }) }, "revision other"],
  ])("%s: it waits, says so once, and fails at the deadline", async (_what, given, which) => {
    let deploymentReads = 0;
    const deployment = () => {
      deploymentReads += 1;
      return { active_revision_id: "other" };
    };
    const { ending, lines, looks } = await watching({ ...given, deployment });
    expect(ending).toMatchObject({
      outcome: "failed",
      message: `Revision ours is DEPLOYED, but after 1 min 40 s the live one is ${which}.`,
    });
    expect(lines.filter(({ text }) => text === waiting)).toHaveLength(1);
    expect(looks.at(-1)).toBe(100);
    expect(deploymentReads).toBe(looks.length);
  });

  test("an older one for a while: it is live in the end", async () => {
    const { ending, looks } = await watching({
      ours: deployedAt(5),
      before: ["other"],
      deployment: (seconds) => ({ active_revision_id: seconds < 10 ? "other" : "ours" }),
    });
    expect(ending.outcome).toBe("deployed");
    expect(looks.at(-1)).toBeLessThan(15);
  });
});

describe("ours is DEPLOYED, but the deployment can't be read", () => {
  test("until the deadline: it isn't called live", async () => {
    const { ending } = await watching({ ours: deployedAt(5), deployment: () => ({ code: 500 }) });
    expect(ending).toMatchObject({
      outcome: "timed_out",
      message: expect.stringContaining(
        "is DEPLOYED, but it couldn't be read whether it is the live one. The last look failed:",
      ),
    });
  });

  test("but says that another is live when it is too late: that isn't looked at", async () => {
    let reads = 0;
    const { ending } = await watching({
      ours: deployedAt(5),
      other: deployedAt(6),
      timeoutSeconds: 1,
      deployment: () => {
        reads += 1;
        return reads <= 3 ? { code: 500 } : { active_revision_id: "other" };
      },
    });
    expect(ending.outcome).toBe("timed_out");
    expect(reads).toBe(3);
  });

  test("but for the very last time", async () => {
    let reads = 0;
    const { ending } = await watching({
      ours: deployedAt(5),
      timeoutSeconds: 1,
      deployment: () => {
        reads += 1;
        return reads < 3 ? { code: 500 } : {};
      },
    });
    expect(ending.outcome).toBe("deployed");
    expect(reads).toBe(3);
  });

  test.each([401, 403])("because of a %d: that ends it", async (code) => {
    await expect(watching({ ours: deployedAt(5), deployment: () => ({ code }) })).rejects.toMatchObject({
      status: code,
    });
  });
});

describe("at the deadline ours is still being built, and the platform shows as live", () => {
  test("a newer one: ours was overtaken", async () => {
    const { ending } = await watching({ ours: building, other: deployedAt(6), deployment: showing("other") });
    expect(ending).toMatchObject({
      outcome: "superseded",
      message: "After 1 min 40 s the newer revision other is the live one; revision ours didn't get to be.",
    });
  });

  test.each<[string, Partial<Watching>]>([
    ["an older one", { other: deployedAt(4), deployment: showing("other") }],
    ["one that was there before", { before: ["other"], deployment: showing("other") }],
    ["one that can't be read", { other: () => ({ code: 500 }), deployment: showing("other") }],
    ["none", { deployment: showing(null) }],
    ["ours, though it isn't DEPLOYED", { deployment: showing("ours") }],
    ["nothing that can be read", { deployment: () => ({ code: 500 }) }],
  ])("%s: the time is up", async (_what, given) => {
    const { ending } = await watching({ ours: building, ...given });
    expect(ending).toMatchObject({
      outcome: "timed_out",
      message: "After 1 min 40 s revision ours is still BUILDING.",
    });
  });

  test("a newer one, but ours was never seen: the time is up", async () => {
    const { ending } = await watching({
      ours: () => ({ code: 500 }),
      other: deployedAt(6),
      deployment: showing("other"),
    });
    expect(ending.outcome).toBe("timed_out");
  });
});
