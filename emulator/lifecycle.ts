/**
 * Which status a revision has at a moment: pure, computed when somebody asks. There are no timers, so a restart
 * of the emulator loses nothing and a virtual clock may jump.
 */
import * as v from "valibot";

const StepSchema = v.object({
  status: v.string(),
  /** Milliseconds from the revision's creation to the start of this status. */
  after: v.number(),
  /** Why it came to this, where the platform says so. */
  message: v.optional(v.string()),
});
export type Step = v.InferOutput<typeof StepSchema>;

/** The statuses a revision goes through, the first one `after` 0; the last one lasts for ever. */
export const TimelineSchema = v.tupleWithRest([StepSchema], StepSchema);
export type Timeline = v.InferOutput<typeof TimelineSchema>;

/** How a revision is to end, and how fast. */
export interface TimelineRequest {
  /** Image sources have nothing to build. */
  readonly builds: boolean;
  readonly statusSeconds: number;
  /** The status to end in instead of `DEPLOYED`. */
  readonly endsIn: string | undefined;
  /** Why it ends so, where that is known. */
  readonly message?: string | undefined;
}

// platform-field-notes, "Revision status"; platform-api, "States and transitions" leaves the names open.
const BUILD_STATUSES = ["AWAITING_BUILD", "BUILDING"];
const PENDING_STATUSES = ["CREATING", "QUEUED", ...BUILD_STATUSES, "AWAITING_DEPLOY", "DEPLOYING"];

/** The pending status after which a bad end comes; ends not named here come last of all. */
const LAST_PENDING_BEFORE = new Map([
  ["CREATE_FAILED", "CREATING"],
  ["SKIPPED", "QUEUED"],
  ["BUILD_FAILED", "BUILDING"],
  ["INTERRUPTED", "BUILDING"],
  ["DEPLOY_FAILED", "DEPLOYING"],
]);

/** The life of a new revision. A pending status as its end means that it gets stuck there. */
export function timelineOf(request: TimelineRequest): Timeline {
  const { builds, statusSeconds, endsIn = "DEPLOYED", message } = request;
  const possible = PENDING_STATUSES.filter((status) => builds || !BUILD_STATUSES.includes(status));
  const pending = statusSeconds === 0 ? [] : possible.slice(0, pendingCount(possible, endsIn));
  return timelineOfSteps([
    ...pending.map((status) => ({ status, seconds: statusSeconds })),
    { status: endsIn, seconds: 0, message },
  ]);
}

function pendingCount(possible: readonly string[], endsIn: string): number {
  const stuckAt = possible.indexOf(endsIn);
  if (stuckAt !== -1) return stuckAt;
  const last = possible.indexOf(LAST_PENDING_BEFORE.get(endsIn) ?? "");
  return last === -1 ? possible.length : last + 1;
}

export interface LifeStep {
  readonly status: string;
  /** How long it lasts. */
  readonly seconds: number;
  readonly message?: string | undefined;
}

/** A timeline from statuses and how long each lasts; how long the last one lasts does not matter. */
export function timelineOfSteps(steps: readonly LifeStep[]): Timeline {
  let after = 0;
  return v.parse(
    TimelineSchema,
    steps.map(({ status, seconds, message }) => {
      const step = { status, after, message };
      after += seconds * 1000;
      return step;
    }),
  );
}

/** The step that holds `age` milliseconds after the creation. */
export function stepAt(timeline: Timeline, age: number): Step {
  return timeline.findLast((step) => step.after <= age) ?? timeline[0];
}

/** The steps that have begun `age` milliseconds after the creation. */
export function stepsUntil(timeline: Timeline, age: number): Step[] {
  return timeline.filter((step) => step.after <= age);
}

/** Whether nothing comes after this status (platform-field-notes, "Revision status"). */
export function isEnd(status: string): boolean {
  return ["DEPLOYED", "SKIPPED", "INTERRUPTED"].includes(status) || status.includes("FAILED");
}

/** The life of a revision that is interrupted `age` milliseconds after its creation. */
export function interruptedAt(timeline: Timeline, age: number): Timeline {
  return v.parse(TimelineSchema, [...stepsUntil(timeline, age), { status: "INTERRUPTED", after: age }]);
}
