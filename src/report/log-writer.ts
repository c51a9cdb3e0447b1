import { formatDuration } from "../text/format.ts";
import { code, joined, type Message, text, withoutFullStop } from "../text/message.ts";
import type { RunFacts, SeenStatus } from "./facts.ts";
import type { Report, Writer, WriterContext } from "./report.ts";
import { formatOutcome, isSuccess, type RunResult, resultMessage } from "./result.ts";
import { describeTellingLine } from "./telling-line.ts";

const heartbeatMs = 60_000;

/** Logs a heartbeat each minute, and the result. */
export function logWriter({ report, clock }: WriterContext): Writer {
  const stopHeartbeat = clock.every(heartbeatMs, () => {
    const { facts } = report;
    const now = clock.now();
    const since = formatDuration(now - (facts.requestedAt ?? facts.startedAt));
    report.info(text`[${code(since)}] ${describeActivity(facts, now)}`);
  });
  return {
    onEnd(_facts, result) {
      stopHeartbeat();
      logResult(result, report);
    },
  };
}

function describeActivity(facts: RunFacts, now: number): Message {
  if (facts.activity !== undefined) return facts.activity;
  const current = facts.statuses.at(-1);
  if (current !== undefined) return describeStatus(current, facts, now);
  return facts.revisionId === undefined
    ? text`still working`
    : text`still waiting for the revision to become visible`;
}

function describeStatus(
  { status, at }: SeenStatus,
  { typicalMs, requestedAt }: RunFacts,
  now: number,
): Message {
  if (typicalMs === undefined || requestedAt === undefined || status.kind !== "pending") {
    return text`still ${code(status.raw)}, for ${code(formatDuration(now - at))}`;
  }
  return describeProgress(status.raw, now - requestedAt, typicalMs);
}

const barWidth = 10;

/** Such as `██████░░░░ BUILDING, typically done after 3 min 20 s, about 1 min 10 s left`. Times in milliseconds. */
export function describeProgress(status: string, elapsedMs: number, typicalMs: number): Message {
  const done = Math.floor(Math.min(1, elapsedMs / typicalMs) * barWidth);
  const bar = code("█".repeat(done) + "░".repeat(barWidth - done));
  const typical = code(formatDuration(typicalMs));
  return elapsedMs < typicalMs
    ? text`${bar} ${code(status)}, typically done after ${typical}, about ${code(formatDuration(typicalMs - elapsedMs))} left`
    : text`${bar} ${code(status)}, longer than the typical ${typical}`;
}

/**
 * Logs the result: an error annotation if the run failed, one for each problem if there are any. The hint for several
 * stands only in the first line.
 */
export function logResult(
  result: RunResult,
  report: Pick<Report, "facts" | "info" | "notice" | "error" | "render">,
): void {
  const { outcome, hint, problems = [], isNotice = false, place } = result;
  const message = joined([resultMessage(result), hint]);
  if (isSuccess(outcome) && isNotice) report.notice(message);
  else if (isSuccess(outcome) || problems.length > 0) report.info(message);
  else report.error(annotation(result, report), { title: titleOf(result, report.facts), place });
  const problemHint = problems.length === 1 ? hint : undefined;
  for (const problem of problems) {
    const title = problem.title ?? titleOf(result, report.facts);
    report.error(joined([text`${withoutFullStop(problem)}.`, problemHint]), { title, place: problem.place });
  }
}

/** An error annotation: the message with the line of the log that says why. The summary has the end of that log. */
function annotation(result: RunResult, { facts, render }: Pick<Report, "facts" | "render">): Message {
  const message = resultMessage(result);
  return joined([message, describeTellingLine(facts, message, render), result.hint]);
}

/** The title of an annotation, such as `Deploy my-agent: smoke test failed`. */
function titleOf({ title, failure, outcome }: RunResult, facts: RunFacts): Message {
  if (title !== undefined) return title;
  const subject = facts.title === "" ? undefined : text` ${code(facts.title, 100)}`;
  return text`${code(facts.action)}${subject}: ${failure ?? text`${code(formatOutcome(outcome))}`}`;
}
