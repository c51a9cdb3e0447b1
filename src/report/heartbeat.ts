import type { Clock } from "../clock.ts";
import { code, duration, type Message, phrase } from "../text/message.ts";
import type { Report } from "./report.ts";
import { newestRevision, type RunState } from "./state.ts";

const heartbeatMs = 60_000;

/** Logs the run's activity once a minute. Returns a function that stops it. */
export function startHeartbeat(report: Report, clock: Clock): () => void {
  return clock.every(heartbeatMs, () => report.infoWithTime(describeActivity(report.state, clock.now())));
}

function describeActivity(state: RunState, now: number): Message {
  const { activity, rollbackRevision } = state;
  const newest = newestRevision(state).statuses.at(-1);
  if (activity !== undefined || newest === undefined) return activity ?? phrase`still working`;
  const statusAndTime = phrase`${code(newest.status.raw)}, for ${duration(now - newest.at)}`;
  return rollbackRevision === undefined
    ? phrase`still ${statusAndTime}`
    : phrase`still rolling back: ${statusAndTime}`;
}
