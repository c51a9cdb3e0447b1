import { CancelledError, Failure } from "../errors.ts";
import type { RevisionId } from "../platform/ids.ts";
import { mayGoLive } from "../platform/status.ts";
import { code, idText, joined, type Message, type Phrase, phrase, text } from "../text/message.ts";
import type { CheckResult } from "./check-result.ts";
import { lastStatus, type RevisionState, type RunState, type SentWrite, type Write } from "./state.ts";

/**
 * Returns sentences about the unfinished work that the run leaves behind if it ends now, for its ending and its post step.
 * Undefined if there is none, or if the run has reported its ending. `error`: what ends the run; undefined if it is killed.
 */
export function unfinishedWork(state: RunState, error?: Error): Message | undefined {
  if (state.ending !== undefined) return undefined;
  const saysHowItEnded = error instanceof Failure && !(error instanceof CancelledError);
  const sentences = sentencesFor(state, saysHowItEnded).filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? undefined : joined(sentences);
}

/**
 * `saysHowItEnded`: whether the run's ending already says how its revision ended, such as `BUILD_FAILED`. That of a
 * cancellation does not.
 */
function sentencesFor(state: RunState, saysHowItEnded: boolean): readonly (Message | undefined)[] {
  const { writes, deployment, revision, rollback } = state;
  const label = deployment === undefined ? phrase`the deployment` : phrase`deployment ${code(deployment.id)}`;
  const describe = (sent: readonly SentWrite[]) =>
    sent.map((write) => describeWrite(write, label, state, saysHowItEnded));
  const ofKind = (kind: Write["kind"]) => writes.filter(({ write }) => write.kind === kind);
  const deletions = ofKind("deletion");
  // The deletion of a deployment also removes everything that this run made of it.
  if (deletions.length > 0) return describe(deletions);
  // A revision that was live before is no work of this run.
  if (writes.length === 0 && state.resumedAt === undefined) return [];
  const status = lastStatus(rollback?.revision ?? revision);
  if (saysHowItEnded && status !== undefined && status.kind !== "pending") return [];
  const isRunning = status === undefined ? phrase`may still be running` : phrase`is still running`;
  if (rollback?.revision !== undefined) {
    const { id } = rollback.revision;
    const failure = describeFailedCheck(revision, saysHowItEnded);
    if (id === undefined) return [...describe(ofKind("rollback")), failure];
    const running = text`The rollback of ${label} to revision ${idText(rollback.targetId)} ${isRunning} on the platform as revision ${idText(id)}.`;
    return [...describeRevision(id, rollback.revision, running, saysHowItEnded), failure];
  }
  if (revision.id === undefined) return describe(writes);
  const unwatched = text`${isRunning} on the platform, and may go live without checks or a rollback.`;
  const { interruption = revision.checks.length > 0 ? pendingAgain : unwatched } = state;
  const running = text`Revision ${idText(revision.id)} of ${label} ${interruption}`;
  return describeRevision(revision.id, revision, running, saysHowItEnded);
}

/** Describes the possible effect of a write while this run's revision is not known. `label`: the deployment. */
function describeWrite(
  { write: { kind, title }, isConfirmed }: SentWrite,
  label: Phrase,
  { shownName, writes }: RunState,
  saysHowItEnded: boolean,
): Message | undefined {
  if (kind === "rollback") {
    return text`The ${title} may have been started and may still be running on the platform.`;
  }
  if (kind === "update") {
    return text`A revision of ${label} may have been started and may still be running on the platform.`;
  }
  if (kind !== "create" && kind !== "createWithoutRevision") {
    if (!isConfirmed) return saysHowItEnded ? undefined : text`The ${title} may have succeeded.`;
    return kind === "config" ? text`The ${title} took effect.` : undefined;
  }
  if (!isConfirmed) return text`A deployment named ${code(shownName)} may have been left behind.`;
  const created = text`This run created ${label}`;
  if (kind === "create") {
    return text`${created}, and its first revision may still be running on the platform.`;
  }
  return writes.length > 1
    ? text`${created}.`
    : text`${created}, which has no revision yet. The next run with this name updates it.`;
}

/**
 * Describes the unfinished work on a watched revision. `running`: the sentence about one that is in progress. `saysHowItEnded`:
 * whether the ending says which check failed.
 */
function describeRevision(
  id: RevisionId,
  revision: RevisionState,
  running: Message,
  saysHowItEnded: boolean,
): readonly (Message | undefined)[] {
  const failure = describeFailedCheck(revision, saysHowItEnded);
  const status = lastStatus(revision);
  if (mayGoLive(status)) return [running, failure];
  if (status?.kind !== "deployed" || findFailedCheck(revision) !== undefined || revision.wasConfirmed)
    return [failure];
  return [text`Revision ${idText(id)} is ${code(status.raw)}. Its checks were not finished.`];
}

function findFailedCheck({ checks }: RevisionState): CheckResult | undefined {
  return checks.find(({ verdict }) => verdict === "failed");
}

function describeFailedCheck(revision: RevisionState, saysHowItEnded: boolean): Message | undefined {
  const failed = findFailedCheck(revision);
  if (failed === undefined || saysHowItEnded || revision.id === undefined) return undefined;
  return text`Revision ${idText(revision.id)} went live, but did not pass its checks. ${failed.message}`;
}

const pendingAgain = text`is in progress on the platform again, after it was live.`;
