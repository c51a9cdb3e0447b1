import type { Failure } from "../../errors.ts";
import { isSameId } from "../../platform/deployment.ts";
import type {
  LiveNow,
  NotRedeployable,
  NotRepeatable,
  RollbackAfterFailure,
  RollbackObstacle,
} from "../../results/rollback.ts";
import { code, id, input, joined, listed, type Message, text } from "../../text/message.ts";
import { resultMessage } from "../result.ts";
import { describeWatch } from "./watch.ts";

/** Nothing was rolled back, because the control plane can't do that. */
export function describeNotRedeployable({ earlierId, reason, error }: NotRedeployable) {
  return {
    message: text`Not rolled back to revision ${id(earlierId)}: ${describeNotRepeatable(reason)}. ${missingEndpoint(error)}`,
    hint: text`Roll back on the platform, or deploy a working version, such as a tag, an image or a branch without the change.`,
  };
}

function describeNotRepeatable(reason: NotRepeatable): Message {
  switch (reason.kind) {
    case "upload":
      return text`it was built from an upload`;
    case "source_unknown":
      return text`the platform does not report what it deployed`;
    case "branch":
      return text`deploying its branch ${code(reason.ref, 100)} would build the newest commit`;
    case "same_source":
      return text`it has the same image or tag as the revision to replace`;
  }
}

/** For the log: a revision is deployed again by an update. `error`: what the control plane said to its redeployment. */
export function describeUpdateInstead(earlierId: string, error: Failure): Message {
  return text`${missingEndpoint(error)} Updating the deployment to the source of revision ${id(earlierId)}.`;
}

function missingEndpoint(error: Failure): Message {
  return text`This control plane can't redeploy a revision by its ID: ${error.ending.message}`;
}

/** A revision was started, and the run ends without waiting for it. */
export function describeStarted(revisionId: string): Message {
  return text`Revision ${id(revisionId)} was started. This run does not wait for it (${code("wait: false")}).`;
}

const keptSecrets = text`A rollback does not restore ${input("secrets")}: those of this run stay in place. If one of the secrets is wrong, correct it and deploy again.`;

/** What to do first if the failed run removed secrets. */
export function removedSecretsHint(names: readonly string[]): Message {
  const them = names.length === 1 ? text`it` : text`them`;
  return text`This run removed ${listed(names.map((name) => code(name)))} from the deployment. A rollback does not restore secrets. If the agent needs ${them}, add ${them} to ${input("secrets")}, and deploy again.`;
}

/**
 * What `rollback_on_failure` did and what is live now, as sentences. `failedId`: the revision that failed; `isHinted`: the hint
 * says that secrets are not restored.
 */
export function describeRollback(
  rollback: RollbackAfterFailure,
  failedId: string | undefined,
  isHinted: boolean,
): readonly Message[] {
  switch (rollback.kind) {
    case "left":
      return [describeObstacle(rollback.reason)];
    case "rolled_back": {
      const { live, earlierId, revisionId } = rollback;
      const isLive = live.kind === "shown" && live.revisionId === revisionId;
      const state = isLive ? text`is live again` : text`was deployed again`;
      return [
        text`Rolled back: revision ${id(earlierId)}, which was live when this run started, ${state} as revision ${id(revisionId)}.`,
        ...(isLive ? [] : [describeLiveNow(live)]),
        text`No checks were run on it.`,
        ...(rollback.hasNewSecrets && !isHinted ? [keptSecrets] : []),
      ];
    }
    case "failed":
      return [
        text`The rollback to revision ${id(rollback.earlierId)}, which was live when this run started, failed: ${resultMessage(describeWatch(rollback.redeployed))}`,
        describeLiveAfter(rollback.live, failedId),
        ...(rollback.hasNewSecrets && !isHinted ? [keptSecrets] : []),
        text`To make another revision live, use the rollback action.`,
      ];
    case "not_redeployable": {
      const { message, hint } = describeNotRedeployable(rollback);
      return [joined([message, hint]), describeLiveAfter(rollback.live, failedId)];
    }
    case "error": {
      const { message, hint } = rollback.error.ending;
      return [
        text`The rollback failed: ${joined([message, hint])}`,
        describeLiveAfter(rollback.live, failedId),
      ];
    }
  }
}

function describeObstacle(reason: RollbackObstacle): Message {
  switch (reason.kind) {
    case "no_earlier":
      return text`No earlier live revision is known, so there is nothing to roll back to. ${describeWithoutEarlier(reason.live)}`;
    case "being_deleted":
      return text`Nothing was rolled back, because the deployment is being deleted.`;
    case "still_live":
      return text`No rollback was needed: revision ${id(reason.revisionId)} is still live.`;
    case "other_live":
      return text`Nothing was rolled back, because a different revision is live: ${id(reason.revisionId)}.`;
    case "newer":
      return text`Nothing was rolled back, because the newer revision ${id(reason.revision.id)} is ${code(reason.revision.status.raw, 100)}.`;
    case "live_unknown":
      return text`Nothing was rolled back, because this control plane does not report which revision is live. Usually it is still the previous one, ${id(reason.previousId)}.`;
  }
}

function describeWithoutEarlier(live: Extract<RollbackObstacle, { kind: "no_earlier" }>["live"]): Message {
  if (live === undefined) return text`No revision is live.`;
  const { revisionId, isOwn, isShown } = live;
  const which = isOwn
    ? text`${id(revisionId)}, which failed, is still live`
    : text`${id(revisionId)} is live now`;
  return isShown
    ? text`Revision ${which}.`
    : text`This control plane does not report which revision is live. Usually revision ${which}.`;
}

/** What is live after a rollback that failed, as a sentence. */
function describeLiveAfter(live: LiveNow, failedId: string | undefined): Message {
  return live.kind === "shown" && failedId !== undefined && isSameId(live.revisionId, failedId)
    ? text`Revision ${id(failedId)} is live now, although it failed.`
    : describeLiveNow(live);
}

/** What is live, as a sentence. */
export function describeLiveNow(live: LiveNow): Message {
  switch (live.kind) {
    case "shown":
      return text`Revision ${id(live.revisionId)} is live now.`;
    case "not_shown":
      return text`The platform does not report which revision is live now.`;
    case "unreadable":
      return text`Could not read which revision is live now: ${live.error.ending.message}`;
  }
}
