import type { Clock } from "../clock.ts";
import { code, duration, type Message, text } from "../text/message.ts";
import type { Report } from "./report.ts";
import type { RunState } from "./state.ts";

const heartbeatMs = 60_000;

/** Logs one line a minute that shows what the run is doing. Returns a function that stops it. */
export function startHeartbeat(report: Report, clock: Clock): () => void {
  return clock.every(heartbeatMs, () => report.timed(describeActivity(report.state, clock.now())));
}

function describeActivity({ activity, revision, rollback, typicalMs }: RunState, now: number): Message {
  const newest = (rollback ?? revision).statuses.at(-1);
  if (activity !== undefined || newest === undefined) return activity ?? text`still working`;
  const lasting = text`${code(newest.status.raw)}, for ${duration(now - newest.at)}`;
  if (rollback !== undefined) return text`still rolling back: ${lasting}`;
  const typical = typicalMs === undefined ? undefined : text`, typically ${duration(typicalMs)} in all`;
  return text`still ${lasting}${typical}`;
}
