import type { Context } from "../context.ts";
import { deploy as runDeploy } from "../deploy/deploy.ts";
import { type DeployJob, startJob } from "../deploy/job.ts";
import { preflight } from "../deploy/preflight.ts";
import { connectGitHub } from "../github/client.ts";
import { readTarget } from "../inputs/control-plane.ts";
import { readDeployInputs } from "../inputs/deploy.ts";
import { type RecordInputs, readRecordInputs } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import { describeDeploy } from "../report/describe-deploy.ts";
import type { RunResult } from "../report/result.ts";
import { text } from "../text/message.ts";
import { packUpload, planDeploy } from "./plan-deploy.ts";
import { addDeploymentWriters, attemptOf, deployRecord, readRecords, startRecord } from "./writers.ts";

/** The root action: creates or updates a deployment, and waits for this run's revision. */
export async function deploy(context: Context): Promise<RunResult> {
  addDeploymentWriters(context);
  const reader = new InputReader(context.env);
  const inputs = readDeployInputs(reader);
  const record = readRecordInputs(
    reader,
    text`, and the action does not check first that the ref and the configuration file exist`,
  );
  const plan = planDeploy(context, reader, readTarget(reader), inputs);
  reader.finish(context.report);

  const { options, controlPlane: settings } = inputs;
  const github = connectGitHub(inputs.githubToken, settings.requestTimeoutMs, context);
  await using upload = await packUpload(context, plan, options.checks);
  const isProduction = record?.production ?? false;
  const job = startJob(context, { settings, options, plan, upload, github, isProduction });
  await preflight(job);
  return describeDeploy(await runDeploy(await withRecord(job, record)));
}

/** From here on the run is recorded on GitHub, if the user wants that. */
async function withRecord(job: DeployJob, record: RecordInputs | undefined): Promise<DeployJob> {
  const { github, plan, workflow, options } = job;
  if (record === undefined || github === undefined || options.dryRun) return job;
  const target = deployRecord(plan.target, record, workflow);
  const records = (await readRecords(target, github)) ?? [];
  const resumed = await startRecord(job, github, { target, records, attempt: attemptOf(job) });
  return { ...job, resumed: resumed?.revision };
}
