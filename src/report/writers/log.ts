import type { Ending } from "../../errors.ts";
import { isQueued } from "../../platform/status.ts";
import { code, duration, id, joined, type Message, text, withoutFullStop } from "../../text/message.ts";
import { lastStatus, type RunFacts, type SeenStatus } from "../facts.ts";
import type { Report, WriterContext } from "../report.ts";
import { formatOutcome, isSuccess, resultMessage } from "../result.ts";
import type { Writer } from "../writer.ts";

const heartbeatMs = 60_000;

/** Logs each new status, a heartbeat each minute, and the result. */
export function logWriter({ report, clock }: WriterContext): Writer {
  const stopHeartbeat = clock.every(heartbeatMs, () => {
    const now = clock.now();
    report.info(timed(now, report.facts, describeActivity(report.facts, now)));
  });
  return {
    onStatus: ({ statuses }) => logStatus(statuses, report),
    onEnd(_facts, result) {
      stopHeartbeat();
      logResult(result, report);
    },
  };
}

/**
 * A report for a rollback of a run. It has the log of the run; of the rest, other writers show of the run only how long each
 * status took. `earlierId`: the revision to go back to.
 */
export function rollbackReport(run: Report, earlierId: string): Report {
  const { title, name, deploymentId } = run.facts;
  const report = run.apart({ title, name, deploymentId, rollbackTarget: earlierId });
  report.add({
    onStatus(facts) {
      logStatus(facts.statuses, run, text`Rollback: `);
      const raw = code(lastStatus(facts)?.raw ?? "");
      const activity = text`still rolling back to revision ${id(earlierId)}: ${raw}`;
      run.setFacts({ activity, rollbackStatuses: facts.statuses });
    },
  });
  return report;
}

/** Logs the newest of these statuses. */
function logStatus(statuses: readonly SeenStatus[], run: Report, subject?: Message): void {
  const newest = statuses.at(-1);
  if (newest === undefined) return;
  const { status, at } = newest;
  const raw = code(status.raw);
  if (!status.isKnown && !statuses.slice(0, -1).some((seen) => seen.status.raw === status.raw)) {
    run.info(text`Unknown status ${raw}; treating it as in progress.`);
  }
  run.info(timed(at, run.facts, text`${subject}${raw}`));
}

/** The message with how long the run has taken since its request. */
function timed(now: number, { requestedAt, startedAt }: RunFacts, message: Message): Message {
  return text`[${duration(now - (requestedAt ?? startedAt))}] ${message}`;
}

function describeActivity(facts: RunFacts, now: number): Message {
  if (facts.activity !== undefined) return facts.activity;
  const current = facts.statuses.at(-1);
  if (current !== undefined) return describeStatus(current, facts, now);
  return facts.revisionId === undefined
    ? text`still working`
    : text`still waiting for the revision to become visible`;
}

function describeStatus({ status, at }: SeenStatus, facts: RunFacts, now: number): Message {
  const { typicalMs, requestedAt, statuses } = facts;
  const isCounted = status.kind === "pending" && !isQueued(status);
  if (typicalMs === undefined || requestedAt === undefined || !isCounted) {
    return text`still ${code(status.raw)}, for ${duration(now - at)}`;
  }
  return describeProgress(status.raw, now - requestedAt - queuedMs(statuses), typicalMs);
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
 * Logs the result: an error annotation if the run failed, one for each problem if there are any. A hint for several of them
 * stands only in the first line.
 */
export function logResult(result: Ending, report: Pick<Report, "facts" | "info" | "notice" | "error">): void {
  const { outcome, hint, problems = [], special, place } = result;
  const message = joined([resultMessage(result), hint]);
  if (isSuccess(outcome) && special !== undefined) report.notice(message);
  else if (isSuccess(outcome) || problems.length > 0) report.info(message);
  else report.error(message, { title: titleOf(result, report.facts), place });
  for (const problem of problems) {
    const problemHint = problems.length === 1 ? hint : problem.hint;
    const title = problem.title ?? titleOf(result, report.facts);
    report.error(joined([text`${withoutFullStop(problem)}.`, problemHint]), { title, place: problem.place });
  }
}

/** The title of an annotation, such as `Deploy my-agent: smoke test failed`. */
function titleOf({ title, failure, outcome }: Ending, facts: RunFacts): Message {
  if (title !== undefined) return title;
  const subject = facts.title === "" ? undefined : text` ${code(facts.title, 100)}`;
  return text`${code(facts.action)}${subject}: ${failure ?? text`${code(formatOutcome(outcome))}`}`;
}
