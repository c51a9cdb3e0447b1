import { type Failure, type SuccessEnding, undefinedIf } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import { isNotFound, RequestError } from "../../http/request-error.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import { code, idText, text } from "../../text/message.ts";
import { unreadableFailure } from "../after-failure.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { requireOwn } from "../own-revision-rules.ts";
import { lagPollMs, maxLagMs } from "../snapshot.ts";
import { readAndRequireOwn } from "./live.ts";
import { explainEnd } from "./revision-ends.ts";

/**
 * Returns the ending of a run with `wait: false`, right after the write.
 *
 * @throws Failure if the revision is not this run's or failed, or if that can't be read
 */
export async function confirmStarted(
  context: RevisionContext,
  ownRevision: OwnRevision,
): Promise<SuccessEnding> {
  const revision = idText(ownRevision.revisionId);
  await readAndRequireStarted(context, ownRevision).catch((error: unknown) => {
    const problem = text`Could not confirm that revision ${revision} was started.`;
    throw error instanceof RequestError ? unreadableFailure(ownRevision, problem, error) : error;
  });
  return {
    outcome: "started",
    message: text`Revision ${revision} was started. This run does not wait for it (${code("wait: false")}).`,
  };
}

async function readAndRequireStarted(context: RevisionContext, ownRevision: OwnRevision): Promise<void> {
  const { clock, controlPlane, report } = context;
  const { deploymentId, revisionId, isCertain } = ownRevision;
  // The revision may not be visible yet.
  const revision = await undefinedIf(() => controlPlane.getRevision(deploymentId, revisionId), isNotFound);
  if (revision !== undefined) {
    report.addPoll(revision);
    requireOwn(context, ownRevision, revision);
    const { kind } = revision.status;
    if (kind !== "pending" && kind !== "deployed") throw await explainEnd(context, ownRevision, revision);
  }
  if (isCertain) return;
  const polling = { ...context, controlPlane: controlPlane.withLimits({ retryMs: 0 }) };
  const notListed = text`Could not confirm that revision ${idText(revisionId)} was started: the list of revisions does not show it as a new one.`;
  const policy = {
    deadline: clock.now() + maxLagMs,
    delayMs: lagPollMs,
    onTimeout: (lastFailure?: Failure) => lastFailure ?? unreadableFailure(ownRevision, notListed),
  };
  await pollUntil(() => readAndRequireOwn(polling, ownRevision), policy, context);
}
