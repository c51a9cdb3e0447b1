import { describe, expect, test } from "@jest/globals";
import type { Ending } from "../../../src/ending.ts";
import type { RunEvent } from "../../../src/events.ts";
import { classifyStatus } from "../../../src/platform/status.ts";
import { formatProgress, logEnding, logObserver } from "../../../src/report/log-observer.ts";
import { RunReport } from "../../../src/report/run-report.ts";
import { recordingContext } from "../../support/recording-context.ts";

function linesOfEnding(ending: Ending) {
  const context = recordingContext({});
  logEnding(context, ending);
  return context.recorded.lines;
}

describe("the ending", () => {
  test("of a success is a line", () => {
    expect(linesOfEnding({ outcome: "deployed", headline: "Live.", details: ["Healthy."] })).toEqual([
      { kind: "info", text: "Live. Healthy." },
    ]);
  });

  test("of a failure is an annotation with the hint", () => {
    expect(
      linesOfEnding({ outcome: "failed", headline: "No.", details: ["Why."], hint: "Look there." }),
    ).toEqual([{ kind: "error", text: "No. Why. Look there." }]);
  });

  test("of a failure with findings is a line, and an annotation with the hint for each", () => {
    const ending: Ending = {
      outcome: "failed",
      headline: "Two.",
      hint: "Look there.",
      findings: ["a", "b!"],
    };

    expect(linesOfEnding(ending)).toEqual([
      { kind: "info", text: "Two. Look there." },
      { kind: "error", text: "a. Look there." },
      { kind: "error", text: "b! Look there." },
    ]);
  });
});

/** What is logged if these events come at these seconds, until ten minutes after the end. */
async function logged(events: readonly (readonly [seconds: number, event: RunEvent])[], endsAt: number) {
  const context = recordingContext({});
  const { clock, cancelled, recorded } = context;
  const report = new RunReport(context);
  report.observe(logObserver(context));
  for (const [seconds, event] of events) {
    await clock.sleep(seconds * 1000 - clock.elapsed(), cancelled);
    await report.emit(event);
  }
  await clock.sleep(endsAt * 1000 - clock.elapsed(), cancelled);
  await report.end({ outcome: "deployed", headline: "End." });
  await clock.sleep(600_000, cancelled);
  return recorded.lines.map(({ text }) => text);
}

const startedAt = recordingContext({}).clock.now();
const identified = (typicalMs?: number): RunEvent => ({
  kind: "revision_identified",
  revisionId: "r-1",
  typicalMs,
  isResumed: false,
});
const status = (raw: string, seconds: number): RunEvent => ({
  kind: "status_changed",
  status: classifyStatus(raw),
  at: startedAt + seconds * 1000,
});
const deployment = { id: "d-1", name: "agent", url: undefined };

test("the log shows what is found, each status with the time since the write, and a heartbeat each minute", async () => {
  const events: [number, RunEvent][] = [
    [61, { kind: "deployment_seen", deployment, created: false }],
    [61, { kind: "write_sent", at: startedAt + 61_000 }],
    [61, { kind: "deployment_seen", deployment, created: false }],
    [61, identified()],
    [121, status("QUEUED", 121)],
    [181, { kind: "stage_changed", stage: "still rolling back" }],
  ];

  expect(await logged(events, 241)).toEqual([
    "[1 min] still working",
    "Found deployment agent (id d-1).",
    "This run's revision is r-1.",
    "[59 s] still waiting for the revision to become visible",
    "[1 min] QUEUED",
    "[1 min 59 s] still QUEUED, for 59 s",
    "[2 min 59 s] still rolling back",
    "End.",
  ]);
});

test.each<[string, RunEvent, string]>([
  [
    "was created",
    { kind: "deployment_seen", deployment, created: true },
    "Created deployment agent (id d-1).",
  ],
  [
    "is only known by its id",
    { kind: "deployment_identified", deploymentId: "d-1" },
    "The deployment's id is d-1.",
  ],
])("the log shows a deployment that %s", async (_what, event, line) => {
  expect(await logged([[0, event]], 0)).toContain(line);
});

test("the log shows the progress of a pending revision whose typical duration is known", async () => {
  const write: RunEvent = { kind: "write_sent", at: startedAt };
  const events = (raw: string): [number, RunEvent][] => [
    [0, write],
    [0, identified(120_000)],
    [0, status(raw, 0)],
  ];

  const pending = await logged(events("BUILDING"), 61);
  expect(pending).toContain("This run's revision is r-1. It usually takes 2 min.");
  expect(pending).toContain("[1 min] █████░░░░░ BUILDING, usually done after 2 min, about 1 min left");
  expect(await logged(events("DEPLOYED"), 61)).toContain("[1 min] still DEPLOYED, for 1 min");
});

test.each([
  [0, "░░░░░░░░░░ BUILDING, usually done after 3 min 20 s, about 3 min 20 s left"],
  [130_000, "██████░░░░ BUILDING, usually done after 3 min 20 s, about 1 min 10 s left"],
  [199_000, "█████████░ BUILDING, usually done after 3 min 20 s, about 1 s left"],
  [200_000, "██████████ BUILDING, longer than the usual 3 min 20 s"],
  [900_000, "██████████ BUILDING, longer than the usual 3 min 20 s"],
])("the progress after %d of 200,000 ms is %s", (elapsedMs, text) => {
  expect(formatProgress("BUILDING", elapsedMs, 200_000)).toBe(text);
});
