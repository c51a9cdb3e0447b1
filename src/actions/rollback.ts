import type { Context } from "../context.ts";
import { findDeployment } from "../deploy/apply/find-deployment.ts";
import { type PlatformJob, platformJob } from "../deploy/job.ts";
import { digestOf } from "../deploy/plan/request-digest.ts";
import { type RollbackJob, rollBack } from "../deploy/rollback/rollback.ts";
import type { Ending } from "../errors.ts";
import { Failure } from "../errors.ts";
import { connectGitHub } from "../github/client.ts";
import { readTarget, type Target, titleOf } from "../inputs/control-plane.ts";
import { notRecorded, readRecordInputs, warnWithoutToken } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import { readRollbackInputs } from "../inputs/rollback.ts";
import type { Deployment } from "../platform/deployment.ts";
import { missingListMessage } from "../report/sentences/deploy.ts";
import { describeRollbackAction } from "../report/sentences/rollback-action.ts";
import { code, input, text } from "../text/message.ts";
import { consoleLinksOf } from "./prepare-deploy.ts";
import { deployRecord, readRunRecords } from "./records.ts";
import { addDeploymentWriters, addRecord } from "./writers.ts";

/** Those of rollback/action.yml. */
export const rollbackOutputs = [
  "deployment_id",
  "revision_id",
  "previous_revision_id",
  "rolled_back_to",
  "status",
  "outcome",
  "deployment_url",
  "smoke_tests",
  "contract_changes",
];

/** The rollback action: makes an earlier revision of a deployment the live one again. */
export async function rollback(context: Context): Promise<Ending> {
  addDeploymentWriters(context, rollbackOutputs);
  const { report } = context;
  const reader = new InputReader(context.env);
  const inputs = readRollbackInputs(reader);
  const record = readRecordInputs(reader);
  if (record !== undefined) warnWithoutToken(reader, notRecorded(record));
  const target = readTarget(reader);
  reader.finish(report);

  const { controlPlane: settings } = inputs;
  const title = titleOf(target);
  const name = target.kind === "name" ? title : undefined;
  report.setFacts({ title, name, consoleLinks: consoleLinksOf(settings) });
  const job = platformJob(context, settings, inputs.options.timeoutMs);
  const deployment = await requireDeployment(job, target);
  report.deployment(deployment, false);
  const github = record && connectGitHub(inputs.githubToken, settings.requestTimeoutMs, job);
  const recordTarget = record && deployRecord(target, record, job.workflow);
  const digest = digestOf({ rollback: title, revisionId: inputs.revisionId }, settings);
  const rollbackJob: RollbackJob = {
    ...job,
    settings,
    options: { ...inputs.options, buildLog: "failure", interruptOnCancel: false },
    records: recordTarget && (await readRunRecords(job, recordTarget, github, digest)),
    deploymentId: deployment.id,
    wantedId: inputs.revisionId,
  };
  if (recordTarget !== undefined) addRecord(rollbackJob, recordTarget);
  return describeRollbackAction(await rollBack(rollbackJob));
}

/** @throws Failure if there is no such deployment */
async function requireDeployment(job: PlatformJob, target: Target): Promise<Deployment> {
  const found = await findDeployment(job, { target });
  if (found.kind !== "missing") return found.deployment;
  const name = titleOf(target);
  throw new Failure(
    found.hasList
      ? text`There is no deployment named ${code(name)}, so nothing was rolled back.`
      : text`${missingListMessage(name)} Nothing was rolled back.`,
    {
      hint: found.hasList
        ? text`Check ${input("name")}, ${input("workspace_id")} and ${input("control_plane_url")}.`
        : text`Set ${input("deployment_id")}.`,
    },
  );
}
