import { describe, expect, test } from "@jest/globals";
import { timeLimitMs } from "../support/servers.ts";
import { type Cancellation, type CancelledStep, cancelStep } from "./cancelled-step.ts";
import { noChanges, type Phase, phases } from "./phases.ts";

const usual = { signals: ["SIGINT"], response: "never", gitHubHangs: false } as const;

function inPhase(name: string, rest: Partial<Cancellation> = {}): Cancellation {
  const phase = phases.find((one) => one.name === name);
  if (phase === undefined) throw new Error(`There is no phase ${name}`);
  return { ...usual, phase, ...rest };
}

/** Every phase with every response, signal and GitHub: in `npm run test:long`. */
const all = phases.flatMap((phase) =>
  (phase.bodiless ? (["never"] as const) : (["never", "slowly"] as const)).flatMap((response) =>
    [false, true].flatMap((gitHubHangs) =>
      ([["SIGINT"], ["SIGINT", "SIGTERM"], ["SIGTERM"]] as const).map((signals) => ({
        phase,
        response,
        gitHubHangs,
        signals,
      })),
    ),
  ),
);

/** Some cases in `npm test`: the runner's two signals while GitHub hangs, a write, and a file that are cut short. */
const some: readonly Cancellation[] = [
  inPhase("a poll of the revision", { signals: ["SIGINT", "SIGTERM"], gitHubHangs: true }),
  inPhase("the update", { response: "slowly" }),
  inPhase("a CSV export", { response: "slowly" }),
];

const wantsAll = process.env.CANCELLATIONS === "all";

const responses = { never: "no response", slowly: "slow response", "at once": "immediate response" };

function titled(cancellations: readonly Cancellation[]): [string, Cancellation][] {
  return cancellations.map((each) => {
    const { phase, signals, response, gitHubHangs } = each;
    const github = gitHubHangs ? ", GitHub silent" : "";
    return [`${signals.join(" and ")} during ${phase.name}, ${responses[response]}${github}`, each];
  });
}

function errorsOf({ log }: CancelledStep["run"]): string[] {
  return log.annotations.filter(({ level }) => level === "error").map(({ message }) => message);
}

const finalStates = ["success", "failure", "error", "inactive"];
const withOutcome = ["deploy", "preview", "delete", "rollback", "sweep"];

/** The step ends by itself, in time, and reports what it leaves on the platform. */
function expectReported({ run, files }: CancelledStep, { phase, signals }: Cancellation): void {
  expect(run).toMatchObject({ conclusion: "failure", stderr: "" });
  // A second signal may come when the process is about to end, and no longer handles signals.
  const isEndedBySecond = run.signal !== null && run.signal === signals[1];
  if (!isEndedBySecond) expect(run).toMatchObject({ exitCode: 1, signal: null });
  const [error, ...others] = errorsOf(run);
  expect(others).toEqual([]);
  expect(error).toContain(`cancelled (${signals[0]})`);
  expect(error).toMatch(phase.leftover);
  expect(run.summary).toContain("cancelled");
  expect(run.summary.replaceAll("`", "")).toMatch(phase.leftover);
  expect(run.outputs.outcome).toBe(withOutcome.includes(phase.action) ? "cancelled" : undefined);
  expect(files).toEqual([]);
}

/** The post step of a killed step reports what that left on the platform. */
function expectReportedByPost({ run, post }: CancelledStep, phase: Phase): void {
  const leftover = phase.leftoverIfKilled ?? phase.leftover;
  expect(run).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  expect(run.outputs.outcome).toBeUndefined();
  if (post === undefined) return;
  const reported = leftover === noChanges ? [] : [expect.stringMatching(leftover)];
  expect(errorsOf(post)).toEqual(reported);
  expect([post.summary.replaceAll("`", "")].filter((summary) => summary !== "")).toEqual(reported);
}

/** Nothing is sent to the platform that was not asked for, and records and comments have a final state. */
function expectFinished(step: CancelledStep, phase: Phase): void {
  const { run, post, writesAfterSignal, recordStates, comments } = step;
  const allowed = run.signal === "SIGKILL" ? [] : (phase.writesAfterSignal ?? []);
  expect(writesAfterSignal).toEqual(allowed);
  for (const states of recordStates) {
    const finals = states.filter((state) => finalStates.includes(state));
    expect(finals.length).toBeLessThan(2);
    if (post !== undefined) expect([finals, states.at(-1)]).toEqual([["error"], "error"]);
  }
  for (const comment of comments) expect(comment).not.toContain("⏳");
  if (post !== undefined) expect(post).toMatchObject({ exitCode: 0, conclusion: "success", stderr: "" });
}

describe("a step ends by itself and reports what is left after", () => {
  test.concurrent.each(titled(wantsAll ? all : some))(
    "a cancelled step reports what is still running (%s)",
    (_title, cancellation) =>
      cancelStep(cancellation, (step) => {
        expectReported(step, cancellation);
        expectFinished(step, cancellation.phase);
      }),
    timeLimitMs,
  );
});

describe("the post step reports what is left after", () => {
  const some = [inPhase("the create")];
  const cancellations = wantsAll ? phases.map((phase) => ({ ...usual, phase })) : some;

  test.concurrent.each(titled(cancellations.map((each) => ({ ...each, signals: ["SIGKILL"] }))))(
    "a post step reports what is still running (%s)",
    (_title, cancellation) =>
      cancelStep(cancellation, (step) => {
        expectReportedByPost(step, cancellation.phase);
        expectFinished(step, cancellation.phase);
      }),
    timeLimitMs,
  );
});
