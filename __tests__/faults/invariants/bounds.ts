import type { Check } from "./check.ts";
import { isDeploymentWrite, isRedeploy } from "./writes.ts";

const aMinute = 60_000;
/** More than any run of these needs, however it is hindered. */
const mostRequests = 250;

/**
 * No later than `timeout_seconds` after the write, or the minute in which its effect is looked for; and no write later
 * than `timeout_seconds` after the start. A rollback has as much time again, a deletion a minute or two of its own, and
 * GitHub may put each of its requests off for up to a minute.
 */
const endsInTime: Check = (run) => {
  const { startedAt, endedAt, timeoutMs, platform, github } = run;
  const writtenAt = platform.find(isDeploymentWrite)?.at;
  const putOff =
    github.filter(({ answer }) => answer?.status === 429).length * aMinute + github.length * 1000;
  const before = (writtenAt ?? endedAt) - startedAt;
  const after = endedAt - (writtenAt ?? endedAt);
  const patience = Math.max(timeoutMs, aMinute) + putOff;
  const deletion = platform.some(({ method }) => method === "DELETE") ? 2 * aMinute : 0;
  const rollback = platform.some(isRedeploy) ? timeoutMs + aMinute : 0;
  return [
    ...(before > patience + deletion ? [`took ${before / 1000} s before any write`] : []),
    ...(after > patience + aMinute + deletion + rollback ? [`took ${after / 1000} s after the write`] : []),
  ];
};

const boundedRequests: Check = ({ platform, github }) =>
  platform.length + github.length > mostRequests ? [`${platform.length + github.length} requests`] : [];

/** A run ends in its time, and asks no more than it needs. */
export const bounds: readonly Check[] = [endsInTime, boundedRequests];
