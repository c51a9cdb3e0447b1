import { describe, expect, test } from "@jest/globals";
import { type Cancellation, type CancelledStep, cancelStep } from "./support/cancelled-step.ts";
import { nothing, type Phase, phases } from "./support/phases.ts";

/** In milliseconds: several steps at once, each with all that it may take after its signal. */
const limit = 60_000;

const finalStates = ["success", "failure", "error", "inactive"];
const hasOutcome = ["deploy", "preview", "delete", "sweep"];

function phaseNamed(name: string): Phase {
  const phase = phases.find((one) => one.name === name);
  if (phase === undefined) throw new Error(`there is no phase ${name}`);
  return phase;
}

const usual: Omit<Cancellation, "phase"> = { signals: ["SIGINT"], answer: "never", github: "healthy" };

/** What is asserted in every case. */
function expectSettled({ post, writesAfterSignal, recordStates, comments, violations }: CancelledStep): void {
  expect(writesAfterSignal).toEqual([]);
  for (const states of recordStates) {
    const finals = states.filter((state) => finalStates.includes(state));
    expect(finals.length).toBeLessThan(2);
    if (post !== undefined) expect([finals, states.at(-1)]).toEqual([["error"], "error"]);
  }
  for (const comment of comments) expect(comment).not.toContain("⏳");
  if (post !== undefined) expect(post).toMatchObject({ exitCode: 0, conclusion: "success", stderr: "" });
  expect(violations).toEqual([]);
}

function errorsOf({ log }: CancelledStep["run"]): string[] {
  return log.annotations.filter(({ level }) => level === "error").map(({ message }) => message);
}

/** What a killed step left on the platform is said by its post step. */
function expectToldAfterwards({ post }: CancelledStep, { left }: Phase): void {
  if (post === undefined) return;
  const told = left === nothing ? [] : [expect.stringMatching(left)];
  expect(errorsOf(post)).toEqual(told);
  expect([post.summary.replaceAll("`", "")].filter((summary) => summary !== "")).toEqual(told);
}

/** The step ended by itself, in time, and says what is true. */
function expectTold({ run, files }: CancelledStep, { phase, signals }: Cancellation): void {
  expect(run).toMatchObject({ conclusion: "failure", stderr: "" });
  // A second signal may come when the process is about to end, and has no handlers any more.
  const atOnce = run.signal !== null && run.signal === signals[1];
  if (!atOnce) expect(run).toMatchObject({ exitCode: 1, signal: null });
  const errors = errorsOf(run);
  expect(errors).toEqual([expect.stringContaining(`The run was cancelled (${signals[0]}).`)]);
  expect(errors[0]).toMatch(phase.left);
  expect(run.summary).toContain("cancelled");
  expect(run.summary.replaceAll("`", "")).toMatch(phase.left);
  expect(run.outputs.outcome).toBe(hasOutcome.includes(phase.action) ? "cancelled" : undefined);
  expect(files).toEqual([]);
}

function titled(cancellations: readonly Cancellation[]): [string, Cancellation][] {
  return cancellations.map((each) => {
    const github = each.github === "hanging" ? ", GitHub silent" : "";
    return [`${each.phase.name}, answered ${each.answer}${github}: ${each.signals.join(", ")}`, each];
  });
}

/** Every phase with every signal, answer and GitHub, by hand: `CANCELLATIONS=all`. */
const all = phases.flatMap((phase) =>
  (phase.bodiless ? (["never"] as const) : (["never", "slowly"] as const)).flatMap((answer) =>
    (["healthy", "hanging"] as const).flatMap((github) =>
      ([["SIGINT"], ["SIGINT", "SIGTERM"], ["SIGTERM"]] as const).map((signals) => ({
        phase,
        answer,
        github,
        signals,
      })),
    ),
  ),
);
const some: readonly Cancellation[] = [
  ...phases.map((phase) => ({ ...usual, phase })),
  {
    ...usual,
    phase: phaseNamed("a look at the revision"),
    signals: ["SIGINT", "SIGTERM"],
    github: "hanging",
  },
  { ...usual, phase: phaseNamed("a look at the revision"), signals: ["SIGTERM"], answer: "slowly" },
  { ...usual, phase: phaseNamed("a look at the revision"), answer: "at once" },
  { ...usual, phase: phaseNamed("the create"), signals: ["SIGTERM"], github: "hanging" },
  { ...usual, phase: phaseNamed("the update"), signals: ["SIGINT", "SIGTERM"], answer: "slowly" },
  { ...usual, phase: phaseNamed("a preview's deletion"), github: "hanging" },
];
const chosen = process.env.CANCELLATIONS === "all" ? all : some;

describe("a step that is cancelled ends by itself and tells what is left", () => {
  test.concurrent.each(titled(chosen))(
    "during %s",
    async (_title, cancellation) => {
      const step = await cancelStep(cancellation);
      expectTold(step, cancellation);
      expectSettled(step);
    },
    limit,
  );
});

describe("after a step that is killed the post step settles the rest", () => {
  const killed = ["the create", "the record's creation", "the comment's creation", "a look at the revision"];
  const cases = (process.env.CANCELLATIONS === "all" ? phases : killed.map(phaseNamed)).map((phase) => ({
    ...usual,
    phase,
    signals: ["SIGKILL"] as const,
  }));

  test.concurrent.each(titled(cases))(
    "during %s",
    async (_title, cancellation) => {
      const step = await cancelStep(cancellation);
      expect(step.run).toMatchObject({ exitCode: null, signal: "SIGKILL" });
      expect(step.run.outputs.outcome).toBeUndefined();
      expectToldAfterwards(step, cancellation.phase);
      expectSettled(step);
    },
    limit,
  );
});
