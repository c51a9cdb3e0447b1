import { describe, expect, test } from "@jest/globals";
import type { Script } from "../support/scripted-platform.ts";
import { type Watching, watching } from "../support/watching.ts";

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
    expect((await watching(given)).result).toMatchObject({ kind: "live", revision: { id: "ours" } });
  });

  test.each<[string, Watching]>([
    ["that was created later", { ours: deployedAt(5), other: deployedAt(6) }],
    ["that was created at the same time", { ours: deployedAt(5), other: deployedAt(5) }],
    ["that is new and shows no time", { ours: deployedAt(), other: deployedAt() }],
  ])("was replaced if the live one is one %s, and the result names that one", async (_what, given) => {
    const { result } = await watching({ ...given, deployment: showing("other") });

    expect(result).toMatchObject({ kind: "replaced", liveRevisionId: "other" });
  });

  test.each<[string, Watching, string]>([
    ["existed before", { ours: deployedAt(5), other: deployedAt(9), before: ["other"] }, "older"],
    ["was created earlier", { ours: deployedAt(5), other: deployedAt(4) }, "older"],
    ["can't be read", { ours: deployedAt(5), other: unreadable }, "unknown"],
  ])(
    "is not live if the live one stays one that %s, and the wait is logged once",
    async (_what, given, kind) => {
      const { result, lines, polls, deploymentReads } = await watching({
        ...given,
        deployment: showing("other"),
      });

      expect(result).toMatchObject({ kind: "not_live", live: { kind, id: "other" }, waitedMs: 100_000 });
      const waits = lines.filter(({ text }) => text.includes("ours is DEPLOYED, but other is still live"));
      expect(waits).toHaveLength(1);
      expect(polls.at(-1)).toBe(100);
      expect(deploymentReads).toBe(polls.length);
    },
  );
});

describe("a DEPLOYED revision of a deployment that can't be read", () => {
  const given = { ours: deployedAt(5), timeoutSeconds: 1 };

  test("is not called live", async () => {
    const { result } = await watching({ ours: deployedAt(5), deployment: unreadable });

    expect(result).toMatchObject({
      kind: "timed_out",
      revision: { status: { kind: "deployed" } },
      failure: { status: 500 },
    });
  });

  test("is live if the very last read shows it", async () => {
    const deployment: Script = (_seconds, read) => (read < 3 ? { code: 500 } : {});

    const { result, deploymentReads } = await watching({ ...given, deployment });

    expect(result?.kind).toBe("live");
    expect(deploymentReads).toBe(3);
  });

  test("timed out if the very last read fails too", async () => {
    const { result, deploymentReads } = await watching({
      ...given,
      other: deployedAt(6),
      deployment: unreadable,
    });

    expect(result?.kind).toBe("timed_out");
    expect(deploymentReads).toBe(3);
  });

  test.each([401, 403])("because of a %d ends the watch", async (code) => {
    const { error } = await watching({ ours: deployedAt(5), deployment: () => ({ code }) });

    expect(error).toMatchObject({ status: code });
  });
});

describe("a revision that is still BUILDING when the time is up", () => {
  test("was overtaken if a newer one is live", async () => {
    const { result } = await watching({ ours: building, other: deployedAt(6), deployment: showing("other") });

    expect(result).toMatchObject({ kind: "overtaken", liveRevisionId: "other" });
  });

  test.each<[string, Partial<Watching>]>([
    ["an older one is live", { other: deployedAt(4), deployment: showing("other") }],
    ["one that existed before is live", { before: ["other"], deployment: showing("other") }],
    ["the live one can't be read", { other: unreadable, deployment: showing("other") }],
    ["none is live", { deployment: showing(null) }],
    ["it is live although it is not DEPLOYED", { deployment: showing("ours") }],
    ["the deployment can't be read", { deployment: unreadable }],
  ])("timed out if %s", async (_what, given) => {
    expect((await watching({ ours: building, ...given })).result?.kind).toBe("timed_out");
  });
});

test("a revision that was never seen timed out, even if a newer one is live", async () => {
  const { result } = await watching({ ours: unreadable, other: deployedAt(6), deployment: showing("other") });

  expect(result?.kind).toBe("timed_out");
});
