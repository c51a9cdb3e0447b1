import { CancelledError, Failure } from "../errors.ts";
import { mayGoLive } from "../platform/status.ts";
import { code, idText, joined, type Message, type Phrase, phrase, text } from "../text/message.ts";
import { describeCheck } from "./check-result.ts";
import { lastStatus, newestRevision, type RevisionState, type RunState, revisionsOf } from "./run-state.ts";
import { makesRevision, type SentWrite } from "./write.ts";

/**
 * Returns sentences about the unfinished work that the run leaves behind if it ends now, for its ending and its post step.
 * Undefined if there is none, or if the run has reported its ending. `error`: what ends the run; undefined if it is killed.
 */
export function unfinishedWork(state: RunState, error?: Error): Message | undefined {
  if (state.ending !== undefined) return undefined;
  // A failure says how its revision ended, such as `BUILD_FAILED`. A cancellation does not.
  const isExplained = error instanceof Failure && !(error instanceof CancelledError);
  const work = joined(describeWork(state, isExplained));
  return work.parts.length === 0 ? undefined : work;
}

function describeWork(state: RunState, isExplained: boolean): readonly (Message | undefined)[] {
  const { writes, rollbackRevision, waitStartedAt } = state;
  const deletions = writes.filter(({ write }) => write.kind === "deletion");
  // The deletion of a deployment also removes everything that this run made of it.
  if (deletions.length > 0) return deletions.map((sent) => describeWrite(sent, isExplained));
  // A revision that was live before is no work of this run.
  if (writes.length === 0 && waitStartedAt === undefined) return [];
  const newest = newestRevision(state);
  const status = lastStatus(newest);
  if (isExplained && status !== undefined && status.kind !== "pending") return [];
  const sent = rollbackRevision ? writes.filter(({ write }) => write.kind === "rollback") : writes;
  return [
    ...(newest.id === undefined
      ? sent.map((write) => describeWrite(write, isExplained))
      : [describeRevision(state, newest, idText(newest.id))]),
    ...(isExplained ? [] : revisionsOf(state).map(describeFailedCheck)),
  ];
}

/** Describes the effect of a write whose revision, if it makes one, is not known. */
function describeWrite({ write, isConfirmed }: SentWrite, isExplained: boolean): Message | undefined {
  const { kind, title } = write;
  if (makesRevision(write)) return text`A revision from the ${title} may still be running on the platform.`;
  if (isConfirmed) return kind === "deletion" ? undefined : text`The ${title} succeeded.`;
  return isExplained ? undefined : text`The ${title} may have succeeded.`;
}

/** Describes the newest revision that this run made; undefined if nothing is left to do with it. */
function describeRevision(state: RunState, newest: RevisionState, id: Phrase): Message | undefined {
  const status = lastStatus(newest);
  if (mayGoLive(status)) return state.interruption ?? describeRunning(state, newest, id);
  // After its deploy has ended, a preview's run still asks GitHub whether the pull request is open.
  const isUnchecked = status?.kind === "deployed" && state.endedAt === undefined && !findFailedCheck(newest);
  return isUnchecked ? text`Revision ${id} is ${code(status.raw)}. Its checks were not finished.` : undefined;
}

function describeRunning(
  { deployment, rollback, rollbackRevision }: RunState,
  newest: RevisionState,
  id: Phrase,
): Message {
  const label = deployment && phrase` of deployment ${code(deployment.id)}`;
  const isRunning =
    lastStatus(newest) === undefined ? phrase`may still be running` : phrase`is still running`;
  if (rollback !== undefined && rollbackRevision !== undefined) {
    const target = idText(rollback.targetId);
    return text`The rollback${label} to revision ${target} ${isRunning} on the platform as revision ${id}.`;
  }
  const unwatched = phrase`, and may go live without checks or a rollback`;
  return text`Revision ${id}${label} ${isRunning} on the platform${newest.checks.length > 0 ? undefined : unwatched}.`;
}

function findFailedCheck({ checks }: RevisionState) {
  return checks.find((check) => check.verdict === "failed");
}

function describeFailedCheck(revision: RevisionState): Message | undefined {
  const failed = findFailedCheck(revision);
  if (failed === undefined || revision.id === undefined) return undefined;
  return text`Revision ${idText(revision.id)} went live, but did not pass its checks. ${describeCheck(failed)}`;
}
