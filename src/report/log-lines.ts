import type { Ending } from "../errors.ts";
import { isQueued } from "../platform/status.ts";
import { code, duration, joined, type Message, text, withoutFullStop } from "../text/message.ts";
import { endingMessage, formatOutcome, isSuccess } from "./ending.ts";
import type { MessageLog } from "./message-log.ts";
import type { RunState, SeenStatus } from "./state.ts";

/** What is said of a status that was never seen before. */
export function describeSeen({ status }: SeenStatus, before: readonly SeenStatus[]): readonly Message[] {
  if (status.isKnown || before.some((seen) => seen.status.raw === status.raw)) return [];
  return [text`Unknown status ${code(status.raw)}; treating it as in progress.`];
}

/** What the run is doing, for the heartbeat. */
export function describeActivity(state: RunState, now: number): Message {
  if (state.activity !== undefined) return state.activity;
  const rollback = state.rollbackStatuses?.at(-1);
  if (rollback !== undefined) {
    return text`still rolling back: ${code(rollback.status.raw)}, for ${duration(now - rollback.at)}`;
  }
  const current = state.statuses.at(-1);
  if (current !== undefined) return describeStatus(current, state, now);
  return state.revisionId === undefined
    ? text`still working`
    : text`still waiting for the revision to become visible`;
}

function describeStatus({ status, at }: SeenStatus, state: RunState, now: number): Message {
  const { typicalMs, sentAt, statuses } = state;
  const isCounted = status.kind === "pending" && !isQueued(status);
  if (typicalMs === undefined || sentAt === undefined || !isCounted) {
    return text`still ${code(status.raw)}, for ${duration(now - at)}`;
  }
  return describeProgress(status.raw, now - sentAt - queuedMs(statuses), typicalMs);
}

/** How long a revision was queued before its newest status, in milliseconds: that says nothing about its own build. */
function queuedMs(statuses: readonly SeenStatus[]): number {
  return statuses.reduce((sum, { status, at }, index) => {
    const next = statuses[index + 1];
    return next !== undefined && isQueued(status) ? sum + next.at - at : sum;
  }, 0);
}

const barWidth = 10;

/** Such as `██████░░░░ BUILDING, expected after 3 min 20 s, about 1 min 10 s left`. Times in milliseconds. */
function describeProgress(status: string, elapsedMs: number, typicalMs: number): Message {
  const done = Math.floor(Math.min(1, elapsedMs / typicalMs) * barWidth);
  const bar = code("█".repeat(done) + "░".repeat(barWidth - done));
  const typical = duration(typicalMs);
  return elapsedMs < typicalMs
    ? text`${bar} ${code(status)}, expected after ${typical}, about ${duration(typicalMs - elapsedMs)} left`
    : text`${bar} ${code(status)}, longer than expected (about ${typical})`;
}

/**
 * Logs how the run ended: an error annotation if it failed, one for each problem if there are any. A hint for several of them
 * stands only in the first line.
 */
export function logEnding(ending: Ending, state: RunState, log: Pick<MessageLog, "info" | "error">): void {
  const { outcome, hint, problems = [], place } = ending;
  const message = joined([endingMessage(ending), hint]);
  const title = titleOf(ending, state);
  if (isSuccess(outcome) || problems.length > 0) log.info(message);
  else log.error(message, { title, place });
  for (const problem of problems) {
    const problemHint = problems.length === 1 ? hint : problem.hint;
    log.error(joined([text`${withoutFullStop(problem)}.`, problemHint]), {
      title: problem.title ?? title,
      place: problem.place,
    });
  }
}

/** The title of an annotation, such as `Deploy my-agent: smoke test failed`. */
function titleOf({ title, failure, outcome }: Ending, state: RunState): Message {
  if (title !== undefined) return title;
  const subject = state.title === "" ? undefined : text` ${code(state.title, 100)}`;
  return text`${code(state.action)}${subject}: ${failure ?? text`${code(formatOutcome(outcome))}`}`;
}
