import { ActionError, CancelledError } from "../errors.ts";
import { code, id, joined, listed, type Message, quote, quoteSentence, text } from "../text/message.ts";
import type { ChangedSettings, RunFacts } from "./facts.ts";
import { failedResult, type RunResult } from "./result.ts";

/** How a run ended that an error stopped, with what it leaves behind on the platform. */
export function describeError(error: Error, facts: RunFacts): RunResult {
  if (error instanceof CancelledError) {
    const { text: message, hint } = error;
    return { outcome: "cancelled", message, details: [describeUnfinishedWork(facts)], hint };
  }
  if (error instanceof ActionError) {
    const isRunning = facts.requestedAt !== undefined && !facts.hasEnded && !error.explainsWrite;
    const leavesMore = isRunning || facts.unfinishedWork !== undefined || leavesOnlySettings(facts);
    return failedResult(error, leavesMore ? [describeUnfinishedWork(facts)] : []);
  }
  return {
    outcome: "failed",
    failure: text`internal error`,
    message: text`Internal error: ${quote(error.message)}.`,
    hint: text`This is a bug of this action. Please report it with this log.`,
  };
}

/** What a cancelled or killed run leaves behind on the platform, as sentences. */
export function describeUnfinishedWork(facts: RunFacts): Message {
  const deleted = describeDeleted(facts.deleted);
  if (facts.unfinishedWork !== undefined)
    return joined([deleted, facts.unfinishedWork, describeOwnEnd(facts)]);
  // What this run made itself is gone then.
  if (deleted !== undefined) return deleted;
  const changed = facts.settingsChanged && describeChangedSettings(facts.settingsChanged);
  if (facts.requestedAt === undefined) return changed ?? text`No changes were sent.`;
  return joined([facts.revisionId === undefined ? changed : undefined, describeRevision(facts)]);
}

function describeChangedSettings({ deploymentId, names }: ChangedSettings): Message {
  return text`This run changed ${listed(names.map((name) => code(name)))} of deployment ${code(deploymentId)}.`;
}

/** Whether settings were changed, but the request for the revision was not sent or was rejected. */
function leavesOnlySettings({ settingsChanged, requestedAt }: RunFacts): boolean {
  return settingsChanged !== undefined && requestedAt === undefined;
}

function describeRevision(facts: RunFacts): Message {
  const deployment = text`deployment ${code(facts.deploymentId ?? facts.title)}`;
  if (facts.revisionId === undefined) {
    const skipped = facts.interruptSkipped
      ? text` It was not interrupted (${code("on_cancel: interrupt")}), because its ID was not known yet.`
      : undefined;
    return text`A revision of ${deployment} may have been started and may still be running on the platform.${skipped}`;
  }
  const revision = text`Revision ${id(facts.revisionId)} of ${deployment}`;
  if (facts.status === undefined || !facts.hasEnded)
    return text`${revision} is still running on the platform.`;
  const check =
    facts.runningCheck === undefined ? undefined : text` Its ${facts.runningCheck} was not finished.`;
  return text`${revision} is ${code(facts.status.raw)}.${check}`;
}

const maxTitles = 5;

function describeDeleted(titles: readonly string[]): Message | undefined {
  const [first, ...others] = titles.map((title) => code(title));
  if (first === undefined) return undefined;
  if (others.length === 0) return text`Deployment ${first} was deleted.`;
  const more = titles.length - maxTitles;
  const named = more > 0 ? [first, ...others].slice(0, maxTitles) : [first, ...others];
  return text`Deployments ${listed(more > 0 ? [...named, text`${more} more`] : named)} were deleted.`;
}

/** How this run's own revision ended, if something else is unfinished, such as a rollback. */
function describeOwnEnd({ revisionId, hasEnded, status, statusMessage }: RunFacts): Message | undefined {
  if (revisionId === undefined || !hasEnded || status === undefined) return undefined;
  const reason = statusMessage === undefined ? undefined : text`: ${quoteSentence(statusMessage, 300)}`;
  return text`This run's own revision ${id(revisionId)} ended as ${code(status.raw)}${reason}.`;
}
