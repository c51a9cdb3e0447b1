import { describeFailedChecks, describePassedChecks } from "../../checks/outcome.ts";
import type { Ending } from "../../errors.ts";
import { isSameId } from "../../platform/deployment.ts";
import type { AfterFailure, DeployResult, DryRunChange } from "../../results/deploy.ts";
import { hasFailed } from "../../results/watch.ts";
import { code, id, joined, type Message, text } from "../../text/message.ts";
import { withDetails } from "../result.ts";
import { describeRollback, describeStarted, removedSecretsHint } from "./rollback.ts";
import { describeUnchanged, unchangedResult } from "./unchanged.ts";
import { describeBeingDeleted, describeWatch, supersededHint } from "./watch.ts";

type NotDeployed = Extract<DeployResult, { kind: "not_deployed" }>;

/** What is said of a revision that failed a check and stays live: `remedy` unless it can't help; `wasLive`: before this run. */
interface StaysLive {
  readonly wasLive?: boolean;
  readonly state: Message;
  readonly remedy?: Message;
}

export const deploymentStaysLive: StaysLive = {
  state: text`This revision stays live.`,
  remedy: text`To roll back, use the rollback action or ${code("rollback_on_failure: true")}.`,
};
export const previewStaysLive: StaysLive = {
  state: text`Production is not affected: only the preview runs this revision.`,
};

/** How a deploy ended, for people. */
export function describeDeploy(result: DeployResult, staysLive: StaysLive): Ending {
  const described = describe(result, staysLive);
  const { rollback, removedSecrets = [] } = afterFailure(result);
  const hasFailedCheck = result.kind === "check_failed";
  const lacksSecrets = removedSecrets.length > 0 && (hasFailedCheck || rollback?.kind === "rolled_back");
  const hint = lacksSecrets ? joined([removedSecretsHint(removedSecrets), described.hint]) : described.hint;
  const failedId =
    "watched" in result && "revision" in result.watched ? result.watched.revision?.id : undefined;
  const rolledBack = rollback === undefined ? [] : describeRollback(rollback, failedId, lacksSecrets);
  return withDetails({ ...described, hint }, ...rolledBack);
}

function afterFailure(result: DeployResult): AfterFailure {
  const { kind } = result;
  return kind === "not_deployed" || kind === "check_failed" || kind === "deleted_during_checks" ? result : {};
}

function describe(result: DeployResult, staysLive: StaysLive): Ending {
  switch (result.kind) {
    case "planned":
      return {
        outcome: "planned",
        message: text`Dry run: would ${describeChange(result.change)}. No changes were sent. No checks were run.`,
      };
    case "planned_nothing":
      return {
        outcome: "planned",
        message: text`Dry run: nothing would be sent. ${describeUnchanged(result.since)}`,
      };
    case "unchanged":
      return unchangedResult(
        result.since,
        result.checked,
        describeDeploy(result.checked, { ...staysLive, wasLive: true }),
      );
    case "started":
      return { outcome: "started", message: describeStarted(result.revisionId) };
    case "deployed":
      return {
        ...describeWatch(result.watched),
        // Of a revision that another one has replaced, the message says that it was not checked.
        details: result.watched.kind === "live" ? describePassedChecks(result.checks) : [],
      };
    case "not_deployed":
      return withDetails(describeWatch(result.watched), ...describeStillLive(result));
    case "not_checked":
      return {
        outcome: "superseded",
        message: text`Revision ${id(result.watched.revision.id)} was deployed, but not checked: the newer revision ${id(result.watched.liveRevisionId)} is live now.`,
        hint: supersededHint,
      };
    case "check_failed": {
      const { watched, checks, rollback, removedSecrets = [] } = result;
      const { state, remedy, wasLive } = staysLive;
      const revision = text`Revision ${id(watched.revision.id)} ${wasLive ? text`is live` : text`went live`}`;
      const failed: Ending = { outcome: "failed", ...describeFailedChecks(revision, checks) };
      if (rollback !== undefined) return failed;
      return withDetails(failed, joined([state, removedSecrets.length === 0 ? remedy : undefined]));
    }
    case "replaced_during_checks":
      return {
        outcome: "superseded",
        message: text`Revision ${id(result.watched.revision.id)} was deployed, but the newer revision ${id(result.liveRevisionId)} became live during its checks.`,
        hint: supersededHint,
      };
    case "deleted_during_checks":
      return describeBeingDeleted(result.watched.revision.id, result.deploymentId);
  }
}

/** What is live after a failed build or deploy, if the platform shows it. Other ends say it themselves. */
function describeStillLive({ watched, live, previousId = "" }: NotDeployed): readonly Message[] {
  if (!hasFailed(watched) || live?.kind !== "shown") return [];
  // The build of another run, such as a cancelled one, may have become live meanwhile.
  const stays = isSameId(live.revisionId, previousId) ? text`stays live` : text`is live`;
  return [text`Revision ${id(live.revisionId)} ${stays}.`];
}

/** What a dry run would do, such as `create deployment my-agent`. */
export function describeChange(change: DryRunChange): Message {
  return change.kind === "create"
    ? text`create deployment ${code(change.name)}`
    : text`update deployment ${code(change.deploymentId)}`;
}

/** Why a deployment of this name can't be searched, as a sentence. */
export function missingListMessage(name: string): Message {
  return text`This control plane has no list of deployments, so ${code(name)} can't be found by name.`;
}
