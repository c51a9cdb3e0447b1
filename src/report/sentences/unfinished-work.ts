import { checkLabel } from "../../checks/check.ts";
import type { Ending } from "../../errors.ts";
import { CancelledError, Failure } from "../../errors.ts";
import type { InterruptResult } from "../../results/watch.ts";
import {
  code,
  id,
  input,
  joined,
  listed,
  type Message,
  quote,
  quoteSentence,
  text,
} from "../../text/message.ts";
import {
  type ChangedSettings,
  hasEnded,
  lastStatus,
  type NotRecorded,
  type RunFacts,
  type UnfinishedWork,
} from "../facts.ts";
import { failedResult } from "../result.ts";

/** How a run ended that an error stopped, with what it leaves behind on the platform. */
export function describeError(error: Error, facts: RunFacts): Ending {
  if (error instanceof CancelledError) {
    const { message, hint } = error.ending;
    return {
      outcome: "cancelled",
      message,
      details: [describeUnfinishedWork(facts) ?? text`No changes were sent.`],
      hint,
    };
  }
  if (error instanceof Failure) {
    const isRunning = facts.requestedAt !== undefined && !hasEnded(facts) && !error.explainsWrite;
    // Settings were changed, but the request for the revision was not sent or was rejected.
    const leavesSettings = facts.settingsChanged !== undefined && facts.requestedAt === undefined;
    const leavesMore = isRunning || facts.unfinishedWork !== undefined || leavesSettings;
    return failedResult(error, leavesMore ? describeUnfinishedWork(facts) : undefined);
  }
  return {
    outcome: "failed",
    failure: text`internal error`,
    message: text`Internal error: ${quote(error.message)}.`,
    hint: text`This is a bug of this action. Please report it with this log.`,
  };
}

/** The result of a run that may have left its revision running, with what a re-run of the job does about it. */
export function withRerun(result: Ending, { notRecorded }: RunFacts): Ending {
  return result.outcome === "timed_out"
    ? { ...result, hint: joined([describeRerun(notRecorded), result.hint]) }
    : result;
}

/** What a re-run does if this run's revision is still running. */
function describeRerun(notRecorded: NotRecorded | undefined): Message {
  const makesNew = text`A re-run of this job starts a new revision`;
  const toContinue = text`For re-runs to continue watching the same one,`;
  switch (notRecorded) {
    case undefined:
      return text`Re-run this job to continue watching the same revision.`;
    case "no_environment":
      return text`${makesNew}. ${toContinue} set ${input("environment")}, and give the job the permission "deployments: write".`;
    case "no_token":
      return text`${makesNew}. ${toContinue} ${input("github_token")} must not be empty.`;
    case "failed":
      return text`${makesNew}, because this one could not be recorded on GitHub.`;
  }
}

/** What a cancelled or killed run leaves behind on the platform, as sentences; undefined if no changes were sent. */
export function describeUnfinishedWork(facts: RunFacts): Message | undefined {
  const deleted = describeDeleted(facts.deleted);
  if (facts.unfinishedWork !== undefined) {
    return joined([deleted, describeWork(facts.unfinishedWork), describeOwnEnd(facts)]);
  }
  // What this run made itself is gone then.
  if (deleted !== undefined) return deleted;
  const changed = facts.settingsChanged && describeChangedSettings(facts.settingsChanged);
  if (facts.requestedAt === undefined) return changed;
  return joined([facts.revisionId === undefined ? changed : undefined, describeRevision(facts)]);
}

/** What may be left behind, as sentences. */
export function describeWork(work: UnfinishedWork): Message {
  switch (work.kind) {
    case "deletion":
      return text`The deletion of deployment ${code(work.title)} may have succeeded.`;
    case "settings":
      return text`${listedNames(work)} of deployment ${code(work.deploymentId)} may have been changed.`;
    case "no_revision":
      return text`Deployment ${code(work.deploymentId)} was created, but has no revision yet. The next run with this name updates it.`;
    case "named_revision":
      return text`Revision ${id(work.revisionId)} of deployment ${code(work.deploymentId)}, probably this run's, may still be running on the platform.`;
    case "rollback": {
      const rollback = text`The rollback of deployment ${code(work.deploymentId)} to revision ${id(work.earlierId)}`;
      return work.revisionId === undefined
        ? text`${rollback} may still be running on the platform.`
        : text`${rollback} is still running on the platform as revision ${id(work.revisionId)}.`;
    }
    case "interrupt":
      return describeInterrupt(
        text`Revision ${id(work.revisionId)} of deployment ${code(work.deploymentId)}`,
        work.result,
      );
    case "oauth_provider":
      return text`The update of OAuth provider ${code(work.providerId)} may have succeeded.`;
    case "files":
      return joined(
        work.files.map(
          (file) => text`${input(file.input)} was ${file.isWritten ? undefined : text`not `}written.`,
        ),
      );
  }
}

export const interruptOption = code("on_cancel: interrupt");

function describeInterrupt(revision: Message, result: InterruptResult): Message {
  if (result.kind === "interrupted") return text`${revision} was interrupted (${interruptOption}).`;
  const { kind, error } = result;
  const reason = error instanceof Failure ? error.ending.message : text`${quote(error.message)}.`;
  switch (kind) {
    case "unsupported":
      return text`${revision} is still running on the platform. This control plane can't interrupt it: ${reason}`;
    case "rejected":
      return text`${revision} is still running on the platform. It could not be interrupted: ${reason}`;
    case "unconfirmed":
      return text`${revision} may still be running on the platform. Could not confirm that it was interrupted: ${reason}`;
  }
}

function describeChangedSettings(changed: ChangedSettings): Message {
  return text`This run changed ${listedNames(changed)} of deployment ${code(changed.deploymentId)}.`;
}

function listedNames({ names }: ChangedSettings): Message {
  return listed(names.map((name) => code(name)));
}

function describeRevision(facts: RunFacts): Message {
  const deployment = text`deployment ${code(facts.deploymentId ?? facts.title)}`;
  if (facts.revisionId === undefined) {
    const skipped = facts.interruptSkipped
      ? text` It was not interrupted (${interruptOption}), because its ID was not known yet.`
      : undefined;
    return text`A revision of ${deployment} may have been started and may still be running on the platform.${skipped}`;
  }
  const revision = text`Revision ${id(facts.revisionId)} of ${deployment}`;
  const status = lastStatus(facts);
  if (status === undefined || !hasEnded(facts)) {
    return text`${revision} is still running on the platform, and may go live without checks or a rollback. ${describeRerun(facts.notRecorded)}`;
  }
  return text`${revision} is ${code(status.raw)}.`;
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
function describeOwnEnd(facts: RunFacts): Message | undefined {
  const { revisionId, statusMessage, checks } = facts;
  const status = lastStatus(facts);
  if (revisionId === undefined || status === undefined || !hasEnded(facts)) return undefined;
  const reason = statusMessage === undefined ? undefined : text`: ${quoteSentence(statusMessage, 300)}`;
  const ended = text`This run's own revision ${id(revisionId)} ended as ${code(status.raw)}${reason}`;
  const failed = checks.find(({ passed }) => !passed);
  return failed === undefined
    ? text`${ended}.`
    : text`${ended}, but failed the ${checkLabel(failed)}. A re-run of this job deploys the same again.`;
}
