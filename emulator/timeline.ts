/**
 * The statuses of a revision over time, as plain data. The current status is computed when somebody asks. There are no
 * timers, so a restart loses nothing and a virtual clock may jump.
 */
import * as v from "valibot";

const StepSchema = v.object({
  status: v.string(),
  /** Milliseconds from the revision's creation to the start of this status. */
  after: v.number(),
  /** The reason for this status, where there is one. */
  message: v.optional(v.string()),
});
export type Step = v.InferOutput<typeof StepSchema>;

/** The first step has `after` 0; the last one lasts forever. */
export const TimelineSchema = v.tupleWithRest([StepSchema], StepSchema);
export type Timeline = v.InferOutput<typeof TimelineSchema>;

export interface TimelineOptions {
  /** False for images: there is nothing to build. */
  readonly builds: boolean;
  readonly statusSeconds: number;
  /** The last status, by default `DEPLOYED`. A pending status means that the revision gets stuck in it. */
  readonly endsIn?: string | undefined;
  /** The reason for the last status. */
  readonly message?: string | undefined;
}

const BUILD_STATUSES = ["AWAITING_BUILD", "BUILDING"];
const PENDING_STATUSES = ["CREATING", "QUEUED", ...BUILD_STATUSES, "AWAITING_DEPLOY", "DEPLOYING"];

/** The last pending status before an end. All other ends come after every pending status. */
const LAST_PENDING_BEFORE = new Map([
  ["CREATE_FAILED", "CREATING"],
  ["SKIPPED", "QUEUED"],
  ["BUILD_FAILED", "BUILDING"],
  ["INTERRUPTED", "BUILDING"],
  ["DEPLOY_FAILED", "DEPLOYING"],
]);

/** The timeline of a new revision. */
export function planTimeline(options: TimelineOptions): Timeline {
  const { builds, statusSeconds, endsIn = "DEPLOYED", message } = options;
  const possible = PENDING_STATUSES.filter((status) => builds || !BUILD_STATUSES.includes(status));
  const pending = statusSeconds === 0 ? [] : possible.slice(0, countPending(possible, endsIn));
  return timelineOf([
    ...pending.map((status) => ({ status, seconds: statusSeconds })),
    { status: endsIn, seconds: 0, message },
  ]);
}

function countPending(possible: readonly string[], endsIn: string): number {
  const stuckAt = possible.indexOf(endsIn);
  if (stuckAt !== -1) return stuckAt;
  const last = possible.indexOf(LAST_PENDING_BEFORE.get(endsIn) ?? "");
  return last === -1 ? possible.length : last + 1;
}

export interface TimedStatus {
  readonly status: string;
  /** How long it lasts; ignored for the last status. */
  readonly seconds: number;
  readonly message?: string | undefined;
}

/** The timeline of these statuses, one after the other. */
export function timelineOf(statuses: readonly TimedStatus[]): Timeline {
  let after = 0;
  return v.parse(
    TimelineSchema,
    statuses.map(({ status, seconds, message }) => {
      const step = { status, after, message };
      after += seconds * 1000;
      return step;
    }),
  );
}

/** The current step, `ageMs` after the creation. */
export function stepAt(timeline: Timeline, ageMs: number): Step {
  return timeline.findLast((step) => step.after <= ageMs) ?? timeline[0];
}

/** The steps that have begun, `ageMs` after the creation. */
export function stepsUntil(timeline: Timeline, ageMs: number): Step[] {
  return timeline.filter((step) => step.after <= ageMs);
}

/** Whether no other status follows this one. */
export function isTerminal(status: string): boolean {
  return ["DEPLOYED", "SKIPPED", "INTERRUPTED"].includes(status) || status.includes("FAILED");
}

/** The timeline of a revision that is interrupted `ageMs` after its creation. */
export function interruptedAt(timeline: Timeline, ageMs: number): Timeline {
  return v.parse(TimelineSchema, [...stepsUntil(timeline, ageMs), { status: "INTERRUPTED", after: ageMs }]);
}

interface Queued {
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly timeline: Timeline;
}

/**
 * The revisions of a deployment, each held in QUEUED until all earlier ones have ended.
 * @param revisions the oldest first
 */
export function inQueue<R extends Queued>(revisions: readonly R[]): R[] {
  let free = Number.NEGATIVE_INFINITY;
  return revisions.map((revision) => {
    const timeline = heldUntil(free - revision.created_at, revision.timeline);
    free = Math.max(free, revision.created_at + endOf(timeline));
    return { ...revision, timeline };
  });
}

/** The statuses that a revision can have while earlier revisions are in progress. */
const BEFORE_ITS_TURN = new Set(["CREATING", "CREATE_FAILED", "QUEUED", "INTERRUPTED"]);

/** `turn`: milliseconds from the revision's creation to the end of all earlier ones. */
function heldUntil(turn: number, timeline: Timeline): Timeline {
  const index = timeline.findIndex(({ status }) => !BEFORE_ITS_TURN.has(status));
  const first = timeline[index];
  if (first === undefined || first.after >= turn) return timeline;
  const waiting: Step[] = timeline.slice(0, index);
  if (waiting.at(-1)?.status !== "QUEUED") waiting.push({ status: "QUEUED", after: first.after });
  const rest = timeline.slice(index).map((step) => ({ ...step, after: step.after + turn - first.after }));
  return v.parse(TimelineSchema, turn === Number.POSITIVE_INFINITY ? waiting : [...waiting, ...rest]);
}

/** Milliseconds from the creation to the end; infinite if the revision is stuck. */
function endOf(timeline: Timeline): number {
  const last = timeline.at(-1);
  return last !== undefined && isTerminal(last.status) ? last.after : Number.POSITIVE_INFINITY;
}

const REASONS = new Map([
  ["CREATE_FAILED", "The revision could not be created: the workspace has no capacity left."],
  ["BUILD_FAILED", "The image could not be built: installing the dependencies ended with code 1."],
  ["DEPLOY_FAILED", "The server did not become healthy: it ended with code 1 while it started."],
  ["INTERRUPTED", "The revision was interrupted."],
  ["SKIPPED", "The revision was skipped: a newer one took its place."],
]);

/** The reason for a bad end, as a platform could word it; null for every other status. */
export function reasonFor({ status, message }: Step): string | null {
  if (message !== undefined) return message;
  return REASONS.get(status) ?? (status.includes("FAILED") ? `The revision ended as ${status}.` : null);
}
