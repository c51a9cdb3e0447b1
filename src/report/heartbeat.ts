import type { Clock } from "../clock.ts";
import { code, duration, type Message, phrase } from "../text/message.ts";
import type { Report } from "./report.ts";
import type { RunState } from "./state.ts";

const heartbeatMs = 60_000;

/** Logs the run's activity once a minute. Returns a function that stops it. */
export function startHeartbeat(report: Report, clock: Clock): () => void {
  return clock.every(heartbeatMs, () => report.infoWithTime(describeActivity(report.state, clock.now())));
}

function describeActivity({ activity, revision, rollback, typicalMs }: RunState, now: number): Message {
  const newest = (rollback?.revision ?? revision).statuses.at(-1);
  if (activity !== undefined || newest === undefined) return activity ?? phrase`still working`;
  const statusAndTime = phrase`${code(newest.status.raw)}, for ${duration(now - newest.at)}`;
  if (rollback?.revision !== undefined) return phrase`still rolling back: ${statusAndTime}`;
  const typical = typicalMs === undefined ? undefined : phrase`, typically ${duration(typicalMs)} in all`;
  return phrase`still ${statusAndTime}${typical}`;
}
