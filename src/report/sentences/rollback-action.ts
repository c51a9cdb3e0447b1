import type { Ending } from "../../errors.ts";
import type { DeployResult } from "../../results/deploy.ts";
import type { LiveNow } from "../../results/rollback.ts";
import type { FailedRollback, Redeployment, RollbackActionResult } from "../../results/rollback-action.ts";
import { hasFailed } from "../../results/watch.ts";
import { id, input, type Message, text } from "../../text/message.ts";
import { withDetails } from "../result.ts";
import { describeDeploy } from "./deploy.ts";
import { describeLiveNow, describeNotRedeployable, describeStarted } from "./rollback.ts";
import { describeWatch } from "./watch.ts";

/** What the rollback action did, for people. */
export function describeRollbackAction(result: RollbackActionResult): Ending {
  switch (result.kind) {
    case "already_live":
      return describeAlreadyLive(result.earlierId, result.ended);
    case "started":
      return {
        outcome: "started",
        message: describeStarted(result.revisionId),
        details: describeContent(result),
      };
    case "rolled_back":
      return describeRolledBack(result, result.ended);
    case "failed":
      return describeFailed(result.ended, result.live);
    case "not_redeployable":
      return { outcome: "failed", ...describeNotRedeployable(result) };
  }
}

const staysLive = {
  state: text`This revision stays live.`,
  remedy: text`To make a different revision live, run this again with its full ID in ${input("revision_id")}. A rollback does not restore secrets: those of the last deploy stay in place.`,
};

function describeAlreadyLive(earlierId: string, ended: DeployResult | undefined): Ending {
  const message = text`Revision ${id(earlierId)} is already live, so nothing was changed.`;
  if (ended === undefined) return { outcome: "deployed", message, special: "already_live" };
  const described = describeDeploy(ended, { ...staysLive, wasLive: true });
  return ended.kind === "deployed"
    ? { ...described, message, special: "already_live" }
    : withDetails(described, text`The revision was live before this run, which changed nothing.`);
}

function describeRolledBack(redeployment: Redeployment, ended: DeployResult): Ending {
  const described = describeDeploy(ended, staysLive);
  // Otherwise the message ends with another revision.
  if (ended.kind !== "deployed" && ended.kind !== "check_failed") return described;
  const { details = [] } = described;
  return {
    ...described,
    details: [...describeContent(redeployment), ...details],
    ...headingOf(described, redeployment),
  };
}

/** The outcome speaks of a deployment, and does not say that a revision which failed a check stays live. */
function headingOf({ outcome, special }: Ending, { mayBeBad }: Redeployment): Pick<Ending, "label" | "mark"> {
  if (outcome === "failed") return { label: "live, but a check failed" };
  if (outcome !== "deployed" || special !== undefined) return {};
  return mayBeBad
    ? { label: "succeeded, but this version was rolled back before", mark: "⚠️" }
    : { label: "succeeded" };
}

function describeFailed(ended: FailedRollback, live: LiveNow): Ending {
  const isFailedRevision = ended.kind === "not_deployed" && hasFailed(ended.watched);
  const described = ended.kind === "other_commit" ? describeWatch(ended) : describeDeploy(ended, staysLive);
  return {
    ...withDetails(described, describeLiveNow(live)),
    ...(isFailedRevision && {
      hint: text`Read the revision's logs, or set ${input("revision_id")} to a different revision.`,
    }),
  };
}

/** After a sentence about the new revision. */
function describeContent({ earlierId, mayBeBad }: Redeployment): Message[] {
  const content = text`The revision has the content of ${id(earlierId)}.`;
  return mayBeBad
    ? [content, text`An earlier rollback replaced that one, so it may be the bad version.`]
    : [content];
}
