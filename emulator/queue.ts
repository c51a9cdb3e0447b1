/** Where revisions of one deployment wait for each other: pure, like the lives they have (`lifecycle.ts`). */
import * as v from "valibot";
import { isEnd, type Step, type Timeline, TimelineSchema } from "./lifecycle.ts";

interface Queued {
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly timeline: Timeline;
}

/**
 * The revisions of a deployment, each held in QUEUED until those before it have ended: a stuck one holds all that
 * come later (platform-field-notes, Fields).
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

/** Statuses that a revision can have without its turn having come. */
const BEFORE_ITS_TURN = new Set(["CREATING", "CREATE_FAILED", "QUEUED", "INTERRUPTED"]);

/** `turn`: milliseconds from the revision's creation to the moment at which the queue is free. */
function heldUntil(turn: number, timeline: Timeline): Timeline {
  const index = timeline.findIndex(({ status }) => !BEFORE_ITS_TURN.has(status));
  const first = timeline[index];
  if (first === undefined || first.after >= turn) return timeline;
  const waiting: Step[] = timeline.slice(0, index);
  if (waiting.at(-1)?.status !== "QUEUED") waiting.push({ status: "QUEUED", after: first.after });
  const rest = timeline.slice(index).map((step) => ({ ...step, after: step.after + turn - first.after }));
  return v.parse(TimelineSchema, turn === Number.POSITIVE_INFINITY ? waiting : [...waiting, ...rest]);
}

/** Milliseconds from the creation to the end, infinite where there is none. */
function endOf(timeline: Timeline): number {
  const last = timeline.at(-1);
  return last !== undefined && isEnd(last.status) ? last.after : Number.POSITIVE_INFINITY;
}
