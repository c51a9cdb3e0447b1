import { describe, expect, test } from "@jest/globals";
import { LiveLog } from "../../../../src/deploy/watch/live-log.ts";
import { redactorFor } from "../../../../src/inputs/masks.ts";
import { classifyStatus } from "../../../../src/platform/status.ts";
import { Report } from "../../../../src/report/report.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { type Script, scriptedPlatform } from "../support/scripted-platform.ts";
import { ours, watchOptions } from "../support/watching.ts";

const newer = "/revisions/ours/logs?type=build&limit=1000&order=asc";
interface Streaming {
  readonly scripts: Readonly<Record<string, Script>>;
  /** One for each poll. */
  readonly statuses?: readonly string[];
  readonly secret?: string;
}

/** Polls a revision with these statuses, and returns what the log of the step shows. */
async function stream({ scripts, statuses = building(1), secret = "" }: Streaming) {
  const plain = recordingContext({});
  const { log, clock } = plain;
  const report = new Report({ log, clock, action: "Deploy", redact: redactorFor({ INPUT_API_KEY: secret }) });
  const { requests, ...platform } = await scriptedPlatform(scripts, plain);
  const live = new LiveLog({ ...plain, ...platform, report, options: watchOptions }, ours);
  for (const status of statuses) await live.onPoll(classifyStatus(status));
  live.close();
  const { lines } = plain.recorded;
  return {
    live,
    lines,
    printed: lines.filter(({ kind }) => kind === "info").map(({ text }) => text),
    groups: lines.filter(({ kind }) => kind === "group").map(({ text }) => text),
    notices: lines.filter(({ kind }) => kind === "notice").map(({ text }) => text),
    requests: Object.entries(requests).flatMap(([path, times]) => Array<string>(times.length).fill(path)),
  };
}

const entry = (id: number) => ({ id: `e-${id}`, message: `line ${id}` });
/** Statuses with which the log is read so many times: with the first one, the build has just begun. */
const building = (reads: number) => Array<string>(reads + 1).fill("BUILDING");

describe("each line is printed once, in order, in one group,", () => {
  test("if a cursor leads to the next lines", async () => {
    const { lines, requests } = await stream({
      scripts: {
        [newer]: () => ({ logs: [entry(1), entry(2)], next_offset: "two" }),
        [`${newer}&offset=two`]: () => ({ logs: [entry(3)], next_offset: 3 }),
        [`${newer}&offset=3`]: () => ({ logs: [], next_offset: "3" }),
      },
      statuses: [...building(3), "DEPLOYING"],
    });

    expect(lines).toEqual([
      { kind: "group", text: "Build log" },
      { kind: "info", text: "line 1" },
      { kind: "info", text: "line 2" },
      { kind: "info", text: "line 3" },
      { kind: "endgroup", text: "" },
    ]);
    expect(requests).toEqual([newer, `${newer}&offset=two`, `${newer}&offset=3`, `${newer}&offset=3`]);
  });

  test.each([
    ["is missing", undefined],
    ["is null", null],
    ["never moves", "stuck"],
  ])("if the cursor %s", async (_what, next_offset) => {
    const page: Script = (_seconds, request) => ({
      logs: Array.from({ length: request * 2 }, (_, index) => entry(index)),
      next_offset,
    });

    const { printed, groups } = await stream({
      scripts: { [newer]: page, [`${newer}&offset=stuck`]: (seconds, request) => page(seconds, request + 1) },
      statuses: building(3),
    });

    expect(printed).toEqual([0, 1, 2, 3, 4, 5].map((index) => `line ${index}`));
    expect(groups).toEqual(["Build log"]);
  });

  test("if pages overlap, or come newest first", async () => {
    const at = (id: number) => ({ ...entry(id), timestamp: 1000 * id });
    const { printed } = await stream({
      scripts: {
        [newer]: () => ({ logs: [at(1), at(2), at(2)], next_offset: "a" }),
        [`${newer}&offset=a`]: () => ({ logs: [at(4), at(3), at(2), at(1)], next_offset: "a" }),
      },
      statuses: building(2),
    });

    expect(printed.map((line) => line.slice(-6))).toEqual(["line 1", "line 2", "line 3", "line 4"]);
  });

  test.each([
    ["without ids", {}],
    ["without ids, at the same time", { timestamp: 1_772_442_000_000 }],
  ])("if entries have the same text, %s", async (_what, fields) => {
    const log = ["Installing", ".", ".", ".", "done", "."].map((message) => ({ ...fields, message }));
    const { printed } = await stream({
      scripts: { [newer]: (_seconds, request) => ({ logs: log.slice(0, request + 1) }) },
      statuses: building(5),
    });

    expect(printed.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""))).toEqual(
      log.map(({ message }) => message),
    );
  });
});

test("a line that the platform shows late is printed when it comes, with its time", async () => {
  const log = [5, 9, 2].map((second) => ({ id: second, timestamp: second * 1000, message: "x" }));

  const { printed } = await stream({
    scripts: { [newer]: (_seconds, request) => ({ logs: log.slice(0, request + 1) }) },
    statuses: building(2),
  });

  expect(printed).toEqual(["00:00:05 x", "00:00:09 x", "00:00:02 x"]);
});

describe("the log is requested", () => {
  const growing: Script = (_seconds, request) => ({ logs: [entry(request)] });

  test.each<[string, string[], number]>([
    ["not before the build", ["CREATING", "QUEUED", "AWAITING_BUILD"], 0],
    ["at most once for each poll", ["QUEUED", ...building(2), "BUILD_FAILED"], 3],
    ["at the end of a build that was never seen in progress", ["QUEUED", "BUILD_FAILED"], 1],
    ["with an unknown status, which may be one of the build", ["COMPILING", "COMPILING", "UNKNOWN"], 2],
    ["as long as lines follow after the build", ["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"], 3],
  ])("a revision's log is requested %s", async (_when, statuses, count) => {
    expect((await stream({ scripts: { [newer]: growing }, statuses })).requests).toHaveLength(count);
  });

  test("not any more once nothing follows after the build", async () => {
    const statuses = ["BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];

    const { requests } = await stream({ scripts: { [newer]: () => ({ logs: [entry(1)] }) }, statuses });

    expect(requests).toHaveLength(2);
  });
});

test("the log of one status is in one group, so that a new status stands outside of it", async () => {
  const { groups, lines } = await stream({
    scripts: { [newer]: (_seconds, request) => ({ logs: [entry(request)] }) },
    statuses: ["BUILDING", "BUILDING", "UNKNOWN", "UNKNOWN"],
  });

  expect(groups).toEqual(["Build log", "Build log, continued"]);
  expect(lines.filter(({ kind }) => kind === "endgroup")).toHaveLength(2);
});

test("lines that come after the build are in a group of their own", async () => {
  const { lines } = await stream({
    scripts: { [newer]: (_seconds, request) => ({ logs: [entry(request)] }) },
    statuses: ["AWAITING_DEPLOY", "DEPLOYED"],
  });

  expect(lines.map(({ kind, text }) => `${kind} ${text}`.trim())).toEqual([
    ...["group Build log", "info line 1", "endgroup"],
    ...["group Build log, continued", "info line 2", "endgroup"],
  ]);
});

describe("a log that can't be read costs one notice,", () => {
  test.each([
    [503, 3],
    [429, 3],
    [401, 1],
    [403, 1],
  ])("and after %i is requested %i times in a row", async (code, count) => {
    const { notices, requests, printed } = await stream({
      scripts: { [newer]: () => ({ code, retryAfter: 600 }) },
      statuses: building(6),
    });

    expect(notices).toEqual([
      expect.stringMatching(new RegExp(`${code}.* The deployment is not affected.$`)),
    ]);
    expect(requests).toHaveLength(count);
    expect(printed).toEqual([]);
  });

  test("and loses no line if it recovers", async () => {
    const isDown = (request: number) => request % 3 !== 0;
    const { notices, printed, live } = await stream({
      scripts: {
        [newer]: (_seconds, request) =>
          isDown(request) ? { code: 500 } : { logs: [entry(1), entry(2)].slice(0, request / 3) },
      },
      statuses: building(6),
    });

    expect(printed).toEqual(["line 1", "line 2"]);
    expect(notices).toHaveLength(1);
    expect(live.isComplete).toBe(true);
  });
});

describe("of a huge log", () => {
  const entries = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => entry(first + index));

  test("every poll prints a page", async () => {
    const { printed, live } = await stream({
      scripts: {
        [newer]: () => ({ logs: entries(0, 1000), next_offset: "a" }),
        [`${newer}&offset=a`]: () => ({ logs: entries(1000, 1000), next_offset: "b" }),
      },
      statuses: building(2),
    });

    expect(printed).toEqual(entries(0, 2000).map(({ message }) => message));
    expect(live.isComplete).toBe(false);
  });

  test("10,000 lines are printed, and a note says that there are more", async () => {
    const message = Array.from({ length: 9_999 }, (_, index) => `line ${index}`).join("\n");

    const { printed, requests, live, lines } = await stream({
      scripts: { [newer]: () => ({ logs: [{ id: 1, message }, ...entries(10_000, 3)] }) },
      statuses: building(3),
    });

    expect(printed).toHaveLength(10_001);
    expect(printed.slice(-2)).toEqual([
      "line 10000",
      "This log has more than 10000 lines. The platform shows the rest.",
    ]);
    expect(lines.at(-1)?.kind).toBe("endgroup");
    expect(requests).toHaveLength(1);
    expect(live.isComplete).toBe(false);
  });
});

test("the last lines are kept, and are the end of the log once it was read to its end", async () => {
  const message = Array.from({ length: 600 }, (_, index) => `line ${index}`).join("\n");

  const { live, printed } = await stream({ scripts: { [newer]: () => ({ logs: [{ message }] }) } });

  expect(live.lastLines.map(({ text }) => text)).toEqual(printed.slice(-live.lastLines.length));
  expect(live.lastLines.length).toBeGreaterThan(50);
  expect(live.isComplete).toBe(true);
});

describe("a secret that one page begins and the next one ends is redacted in both:", () => {
  const secret = "s3cr3t-of-more-than-a-few-letters";
  const pages = (...all: string[][]) =>
    Object.fromEntries(
      all.map((logs, index): [string, Script] => [
        index === 0 ? newer : `${newer}&offset=${index}`,
        () => ({ logs, next_offset: index + 1 }),
      ]),
    );

  test("its first part is held back until the second one comes", async () => {
    const scripts = pages(["a", "KEY=s3cr3t-of-"], ["more-than-", "a-few-"], ["letters b"], []);

    const { printed } = await stream({ scripts, secret, statuses: building(4) });

    expect(printed).toEqual(["a", "KEY=***", "***", "***", "*** b"]);
  });

  test("a part too short to be held back is shown, but not the rest", async () => {
    const scripts = pages(["KEY=s3c"], ["r3t-of-more-than-a-few-letters b"]);

    expect((await stream({ scripts, secret, statuses: building(2) })).printed).toEqual(["KEY=s3c", "*** b"]);
  });

  test.each([
    ["the log ends", "BUILD_FAILED"],
    ["the watch ends", "BUILDING"],
  ])("what only looks like its start is shown when %s", async (_when, last) => {
    const { printed } = await stream({
      scripts: { [newer]: () => ({ logs: [{ id: 1, message: "a s3cr" }] }) },
      secret,
      statuses: ["BUILDING", "BUILDING", last],
    });

    expect(printed).toEqual(["a s3cr"]);
  });
});
