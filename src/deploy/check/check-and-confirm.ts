import { connectAgent } from "../../agent/agent-client.ts";
import type { Check } from "../../checks/check.ts";
import { commitCheck } from "../../checks/commit-check.ts";
import { type CheckError, requestedAgentChecks, resultOfChecks, runChecks } from "../../checks/run-checks.ts";
import { servingCheck } from "../../checks/serving-check.ts";
import { type Result, toResult } from "../../errors.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { type CheckResult, checkKinds } from "../../state/check-result.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import { idText, link, type Message, type Phrase, phrase } from "../../text/message.ts";
import { headSha } from "../../workflow-run.ts";
import type { RevisionContext } from "../deploy-context.ts";
import type { LiveRevision, Snapshot } from "../snapshot.ts";
import { showLogEnd } from "../watch/logs/show-log-end.ts";
import { confirmLive } from "../watch/watch.ts";

/** A revision that was still live after its checks. */
interface CheckedRevision {
  /** The messages of the checks, or the failure if one failed. */
  readonly result: Result<readonly Message[], CheckError>;
  readonly snapshot: Snapshot;
}

/**
 * Checks a live revision, and confirms afterwards that it is still live.
 *
 * @throws Failure if it is not live, or if that can't be read
 */
export async function checkAndConfirm(
  context: RevisionContext,
  ownRevision: OwnRevision,
  live: LiveRevision,
  comparison?: Check,
): Promise<CheckedRevision> {
  const result = await checkRevision(context, ownRevision, live, comparison);
  const confirmed = await toResult(() => confirmLive(context, ownRevision, live.revision));
  // A newer revision may have responded to the checks, so they say nothing certain about this one.
  if (confirmed.error !== undefined) throw confirmed.error.addDetails(result.error?.ending.message);
  return { result, snapshot: confirmed.value };
}

/** Runs the checks that the inputs ask for, and returns their messages. If one fails, shows the end of the server's log. */
async function checkRevision(
  context: RevisionContext,
  ownRevision: OwnRevision,
  live: LiveRevision,
  comparison?: Check,
): Promise<Result<readonly Message[], CheckError>> {
  const agent = connectAgent(live.deployment.url, context.options.agent, context);
  const results = await runChecks(context, agent, requestedChecks(context, live, comparison));
  const showsLog = results.some(
    ({ kind, verdict }) => verdict === "failed" && checkKinds[kind].showsServerLog,
  );
  const log = showsLog ? await showLogEnd(context, ownRevision, "deploy") : undefined;
  return resultOfChecks(
    phrase`Revision ${idText(ownRevision.revisionId)} went live, but`,
    results,
    log?.place,
  );
}

/**
 * Returns the checks that the inputs ask for. The serving check is the first, so that this revision responds to the others. The
 * commit check comes after those of the agent, so that the agent itself is known to be fine if it fails.
 */
function requestedChecks(
  context: RevisionContext,
  { revision }: LiveRevision,
  comparison: Check | undefined,
): readonly (Check | CheckResult | undefined)[] {
  const { checks, verifyCommit } = context.options;
  const { serving, healthTimeoutMs: timeoutMs } = checks;
  return [
    serving === "off" ? undefined : servingCheck({ mode: serving, timeoutMs, revisionId: revision.id }),
    ...requestedAgentChecks(checks),
    verifyCommit ? commitCheck(headSha(context.workflow), revision.content?.commitSha) : undefined,
    comparison,
  ];
}

/** Returns ` at https://…`; undefined if the deployment shows no URL. */
export function atUrl({ url }: Deployment): Phrase | undefined {
  return url === undefined ? undefined : phrase` at ${link(url)}`;
}
