import type { CheckResult, CommitMismatch, DeployResult, PlannedChange } from "../results.ts";
import { code, id, input, type Message, text } from "../text/message.ts";
import { checkSentence } from "./check-messages.ts";
import { describeRollback, describeStarted } from "./describe-rollback.ts";
import { describeUnchanged, unchangedResult } from "./describe-unchanged.ts";
import { describeBeingDeleted, describeWatch, supersededHint } from "./describe-watch.ts";
import type { RunResult } from "./result.ts";

/** How a deploy ended, for people. */
export function describeDeploy(result: DeployResult): RunResult {
  const described = describe(result);
  if (!("rollback" in result) || result.rollback === undefined) return described;
  return { ...described, details: [...(described.details ?? []), ...describeRollback(result.rollback)] };
}

function describe(result: DeployResult): RunResult {
  switch (result.kind) {
    case "planned":
      return {
        outcome: "planned",
        message: text`Dry run: would ${describeChange(result.change)}. No changes were sent.`,
      };
    case "planned_nothing":
      return {
        outcome: "planned",
        message: text`Dry run: nothing would be sent. ${describeUnchanged(result.since)}`,
      };
    case "unchanged":
      return unchangedResult(result.since, result.checked.kind, describeDeploy(result.checked));
    case "started":
      return { outcome: "started", message: describeStarted(result.revisionId) };
    case "deployed":
      return { ...describeWatch(result.watched), details: describePassed(result.checks) };
    case "not_deployed":
      return describeWatch(result.watched);
    case "not_checked": {
      const { revision, liveRevisionId } = result.watched;
      return {
        outcome: "superseded",
        message: text`Revision ${id(revision.id)} was deployed, but not checked: the newer revision ${id(liveRevisionId)} is live now.`,
        hint: supersededHint,
      };
    }
    case "check_failed":
      return describeFailedChecks(result.watched.revision.id, result.checks);
    case "replaced_during_checks":
      return {
        outcome: "superseded",
        message: text`Revision ${id(result.watched.revision.id)} was deployed, but the newer revision ${id(result.liveRevisionId)} became live during its checks.`,
        hint: supersededHint,
      };
    case "deleted_during_checks":
      return describeBeingDeleted(result.watched.revision.id, result.deploymentId);
    case "wrong_commit": {
      const { message, hint } = describeMismatch(result.mismatch);
      const state = result.watched.kind === "live" ? text`is live` : text`was deployed`;
      return { outcome: "failed", message, hint: text`The revision ${state} anyway. ${hint}` };
    }
  }
}

/** What a dry run would do, such as `create deployment my-agent`. */
export function describeChange(change: PlannedChange): Message {
  return change.kind === "create"
    ? text`create deployment ${code(change.name)}`
    : text`update deployment ${code(change.deploymentId)}`;
}

/** Why a deployment of this name can't be searched, as a sentence. */
export function missingListMessage(name: string): Message {
  return text`This control plane has no list of deployments, so ${code(name)} can't be found by name.`;
}

/** Why the revision does not hold this run's commit, and what to do. */
export function describeMismatch(mismatch: CommitMismatch): {
  readonly message: Message;
  readonly hint: Message;
} {
  const remove = text`Remove ${input("verify_commit")} if`;
  switch (mismatch.kind) {
    case "no_own_commit":
      return {
        message: text`This run has no commit, so the one that was built can't be compared with it.`,
        hint: text`${remove} a different repository is deployed.`,
      };
    case "other_repository":
      return {
        message: text`The deployment is built from ${code(mismatch.repoUrl, 200)}, so its commit can't be compared with this run's, ${code(mismatch.own)}.`,
        hint: text`${remove} a different repository is deployed.`,
      };
    case "not_shown":
      return {
        message: text`The platform does not report which commit it built, so it may not be this run's, ${code(mismatch.own)}.`,
        hint: text`${remove} the platform reports no commit.`,
      };
    case "other_commit": {
      const message = text`The revision was built from commit ${code(mismatch.built, 60)}, not from this run's ${code(mismatch.own)}.`;
      return mismatch.isOwnRef
        ? {
            message: text`${message} The branch or tag has probably moved.`,
            hint: text`Run the workflow for the newer commit, or remove ${input("verify_commit")}.`,
          }
        : {
            message,
            hint: text`Deploy the run's own ref (leave ${input("repo_ref")} out), or remove ${input("verify_commit")}.`,
          };
    }
  }
}

/** A sentence for each check, and one for all smoke tests. */
function describePassed(checks: readonly CheckResult[]): Message[] {
  const others = checks.filter(({ kind }) => kind !== "smoke test");
  const count = checks.length - others.length;
  const all = count === 1 ? text`The smoke test passed.` : text`All ${count} smoke tests passed.`;
  return [...others.map(checkSentence), ...(count === 0 ? [] : [all])];
}

const reasons: Readonly<Record<CheckResult["kind"], Message>> = {
  "health check": text`not healthy`,
  "serving check": text`was not seen to respond`,
  "smoke test": text`failed a smoke test`,
};

function describeFailedChecks(revisionId: string, checks: readonly CheckResult[]): RunResult {
  const failed = checks.filter(({ passed }) => !passed);
  const [first] = failed;
  // Only smoke tests can fail in numbers: other checks stop at the first failure.
  const count = checks.filter(({ kind }) => kind === "smoke test").length;
  return {
    outcome: first?.isSuperseded ? "superseded" : "failed",
    message: text`Revision ${id(revisionId)} is ${code("DEPLOYED")}, but ${first && reasons[first.kind]}.`,
    ...(failed.length > 1
      ? {
          details: [text`${failed.length} of ${count} smoke tests failed.`],
          problems: failed.map(checkSentence),
        }
      : { details: failed.map(checkSentence) }),
    hint: first?.isSuperseded ? supersededHint : first?.hint,
  };
}
