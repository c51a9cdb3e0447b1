import { describe, expect, test } from "@jest/globals";
import { ResponseError } from "../../../src/http/response-error.ts";
import { controlPlaneHints } from "../../../src/platform/hints.ts";
import type { LogEntry, LogPage } from "../../../src/platform/revision-log.ts";
import { type ReadLogPage, readLogTail } from "../../../src/platform/revision-log-tail.ts";

type Query = Parameters<ReadLogPage>[0];

const start = Date.parse("2026-03-02T09:00:00Z");

function entries(count: number, timed = true): LogEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    at: timed ? start + index * 1000 : undefined,
    level: undefined,
    message: `line ${index + 1}`,
  }));
}

/** A log that is paged by a cursor that counts, `pageSize` entries at most, in the order that `orderOf` finds. */
function platform(
  log: readonly LogEntry[],
  { pageSize = 1000, orderOf = (query: Query): "asc" | "desc" => query.order ?? "asc" } = {},
) {
  const queries: Query[] = [];
  const read: ReadLogPage = async (query) => {
    queries.push(query);
    const ordered = orderOf(query) === "desc" ? log.toReversed() : log;
    const from = Number(query.offset ?? 0);
    const to = from + Math.min(query.limit, pageSize);
    return { entries: ordered.slice(from, to), next: to < ordered.length ? String(to) : undefined };
  };
  return { queries, read };
}

const messages = (tail: readonly LogEntry[]) => tail.map(({ message }) => message);

function refusal(status: number): ResponseError {
  const request = { method: "GET", url: new URL("https://control.example/logs") };
  const answer = { status, headers: {}, text: '{"detail":"no"}' };
  return new ResponseError(request, answer, undefined, controlPlaneHints, String);
}

test("the newest are asked for alone, and answered oldest first", async () => {
  const { queries, read } = platform(entries(300));
  expect(messages(await readLogTail(read, 3))).toEqual(["line 298", "line 299", "line 300"]);
  expect(queries).toEqual([{ order: "desc", limit: 3, offset: undefined }]);
});

test("a log that is shorter is read to its end", async () => {
  const { queries, read } = platform(entries(2));
  expect(messages(await readLogTail(read, 3))).toEqual(["line 1", "line 2"]);
  expect(queries).toHaveLength(1);
});

test("smaller pages than asked for are followed as far as needed", async () => {
  const { queries, read } = platform(entries(300), { pageSize: 2 });
  expect(messages(await readLogTail(read, 5))).toEqual(messages(entries(300).slice(-5)));
  expect(queries.map(({ offset }) => offset)).toEqual([undefined, "2", "4"]);
});

test("larger pages than asked for are cut", async () => {
  const read: ReadLogPage = async () => ({ entries: entries(9).toReversed(), next: undefined });
  expect(messages(await readLogTail(read, 2))).toEqual(["line 8", "line 9"]);
});

describe("oldest first", () => {
  test("is noticed by the times, and read to the end", async () => {
    const { queries, read } = platform(entries(2500), { orderOf: () => "asc" });
    expect(messages(await readLogTail(read, 3))).toEqual(["line 2498", "line 2499", "line 2500"]);
    expect(queries.map(({ order, limit }) => ({ order, limit }))).toEqual([
      { order: "desc", limit: 3 },
      { order: undefined, limit: 1000 },
      { order: undefined, limit: 1000 },
      { order: undefined, limit: 1000 },
    ]);
  });

  test("is noticed on a later page too", async () => {
    const { read } = platform(entries(9), { orderOf: () => "asc", pageSize: 1 });
    expect(messages(await readLogTail(read, 3))).toEqual(["line 7", "line 8", "line 9"]);
  });

  test("is what a platform has that refuses to be asked for an order", async () => {
    for (const status of [400, 422]) {
      const { read } = platform(entries(30, false));
      const refusing: ReadLogPage = async (query) => {
        if (query.order !== undefined) throw refusal(status);
        return await read(query);
      };
      expect(messages(await readLogTail(refusing, 2))).toEqual(["line 29", "line 30"]);
    }
  });

  test("is given up where the end is too far away: what comes before it isn't the end", async () => {
    const { queries, read } = platform(entries(100), { orderOf: () => "asc", pageSize: 5 });
    expect(await readLogTail(read, 3)).toEqual([]);
    expect(queries).toHaveLength(11);
  });
});

describe("a log that never ends", () => {
  test.each<[string, (page: number) => LogPage, number]>([
    ["ever new cursors", (page) => ({ entries: entries(1, false), next: `cursor ${page}` }), 10],
    ["the same cursor again and again", () => ({ entries: entries(1, false), next: "same" }), 2],
    ["empty pages with cursors", (page) => ({ entries: [], next: `cursor ${page}` }), 1],
  ])("because of %s is left after a few pages", async (_why, pageOf, requests) => {
    let page = 0;
    await readLogTail(async () => pageOf(page++), 50);
    expect(page).toBe(requests);
  });
});

test.each([404, 405, 501, 500, 401])("a %i is the caller's", async (status) => {
  const asked: Query[] = [];
  const read: ReadLogPage = async (query) => {
    asked.push(query);
    throw refusal(status);
  };
  await expect(readLogTail(read, 3)).rejects.toThrow(String(status));
  expect(asked).toHaveLength(1);
});

test("what was read before a page that fails is the end of the log all the same", async () => {
  const { read } = platform(entries(9), { pageSize: 2 });
  const failing: ReadLogPage = async (query) => {
    if (query.offset === "4") throw refusal(422);
    return await read(query);
  };
  expect(messages(await readLogTail(failing, 9))).toEqual(["line 6", "line 7", "line 8", "line 9"]);
});

test("a page that fails before the end of a log that is read from its start is the caller's", async () => {
  const { read } = platform(entries(9), { pageSize: 2, orderOf: () => "asc" });
  const failing: ReadLogPage = async (query) => {
    if (query.offset === "4") throw refusal(500);
    return await read(query);
  };
  await expect(readLogTail(failing, 3)).rejects.toThrow("500");
});

test("a page of a hundred thousand entries is no trouble", async () => {
  const { read } = platform(entries(300_000), { pageSize: 300_000, orderOf: () => "desc" });
  const huge: ReadLogPage = (query) => read({ ...query, limit: 300_000 });
  expect(messages(await readLogTail(huge, 1))).toEqual(["line 300000"]);
});
