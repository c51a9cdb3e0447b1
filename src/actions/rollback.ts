import { locateDeployment } from "../deploy/apply/find-deployment.ts";
import type { ResumedRevision } from "../deploy/apply/resume.ts";
import { digestOf } from "../deploy/plan/request-digest.ts";
import { siteOf } from "../deploy/planned-deployment.ts";
import { rollBack } from "../deploy/rollback/rollback.ts";
import type { Ending } from "../ending.ts";
import { ActionError } from "../errors.ts";
import { connectGitHub } from "../github/client.ts";
import { retryUntil } from "../http/retry.ts";
import { type RecordInputs, readRecordInputs } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import { type RollbackInputs, readRollbackInputs } from "../inputs/rollback.ts";
import { readTarget, type Target, titleOf } from "../inputs/target.ts";
import { ControlPlane } from "../platform/control-plane.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { ActionContext } from "../report/run-report.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { deploymentObservers } from "./deployment-observers.ts";
import { deployRecord, readRecords, startRecord } from "./start-record.ts";

const outputs = ["deployment_id", "revision_id", "rolled_back_to", "status", "outcome", "deployment_url"];

/** The rollback action: makes an earlier revision of a deployment the live one again. */
export async function rollback(context: ActionContext): Promise<Ending> {
  context.observe(...deploymentObservers(context, outputs));
  const reader = new InputReader(context.env);
  const inputs = readRollbackInputs(reader);
  const record = readRecordInputs(reader);
  const target = readTarget(reader);
  reader.finish(context.log);

  const title = titleOf(target);
  await context.emit({
    kind: "planned",
    title,
    name: target.kind === "name" ? title : undefined,
    site: siteOf(inputs.controlPlane),
  });
  const policy = retryUntil(context.clock.now() + inputs.mode.timeoutMs);
  const controlPlane = new ControlPlane(inputs.controlPlane, context, policy);
  const deployment = await findDeployment(target, controlPlane);
  await context.emit({ kind: "deployment_seen", deployment, created: false });
  const resumed = record && (await recordRollback(target, record, inputs, controlPlane, context));
  return await rollBack(deployment, inputs, resumed, controlPlane, context);
}

/** @throws ActionError if there is no such deployment */
async function findDeployment(target: Target, controlPlane: ControlPlane): Promise<Deployment> {
  const located = await locateDeployment(target, undefined, controlPlane);
  if (located.kind === "found") return located.deployment;
  const name = sanitizeExcerpt(titleOf(target), 100);
  throw new ActionError(
    located.hasList
      ? `There is no deployment named ${name}, so nothing was rolled back.`
      : `This control plane has no list of deployments, so ${name} can't be found by name. Nothing was rolled back.`,
    {
      code: "no_deployment",
      hint: located.hasList ? "Check name, workspace_id and control_plane_url." : "Set deployment_id.",
    },
  );
}

/** From here on the run is recorded on GitHub. Returns what an earlier attempt or step of this run started, if anything. */
async function recordRollback(
  target: Target,
  record: RecordInputs,
  { controlPlane: settings, revisionId, githubToken }: RollbackInputs,
  controlPlane: ControlPlane,
  context: ActionContext,
): Promise<ResumedRevision | undefined> {
  const github = connectGitHub(githubToken, settings.requestTimeoutMs, context);
  if (github === undefined) return undefined;
  const recordTarget = deployRecord(target, record, context.workflow);
  const records = (await readRecords(recordTarget, github)) ?? [];
  const requestDigest = digestOf({ rollback: titleOf(target), revisionId }, settings);
  const request = { requestDigest, resumes: ["pending", "deployed"] as const };
  return await startRecord(recordTarget, records, request, controlPlane, github, context);
}
