import type { Context } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import { type DeployJob, startJob } from "../deploy/job.ts";
import { preflight } from "../deploy/preflight.ts";
import { connectGitHub } from "../github/client.ts";
import { readTarget } from "../inputs/control-plane.ts";
import { readDeployInputs } from "../inputs/deploy.ts";
import { type RecordInputs, readRecordInputs } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import type { RunResult } from "../report/result.ts";
import { describeDeploy } from "../report/sentences/deploy.ts";
import { input, text } from "../text/message.ts";
import { packUpload, planDeploy } from "./plan-deploy.ts";
import { deployRecord, readRecords, recordDeploy } from "./records.ts";
import { addDeploymentWriters } from "./writers.ts";

/** The root action: creates or updates a deployment, and waits for this run's revision. */
export async function deployAction(context: Context): Promise<RunResult> {
  addDeploymentWriters(context);
  const reader = new InputReader(context.env);
  const inputs = readDeployInputs(reader);
  const record = readRecordInputs(
    reader,
    text`, and the action does not check first that the ref and the configuration file exist`,
  );
  if (inputs.options.onlyIfChanged && record === undefined) {
    reader.reject(
      "only_if_changed",
      text`needs ${input("environment")}: the record on GitHub shows what is live`,
    );
  }
  const plan = planDeploy(context, reader, readTarget(reader), inputs);
  reader.finish(context.report);

  const { options, controlPlane: settings } = inputs;
  const github = connectGitHub(inputs.githubToken, settings.requestTimeoutMs, context);
  await using upload = await packUpload(context, plan, options.checks);
  const isProduction = record?.production ?? false;
  const job = startJob(context, { settings, options, plan, upload, github, isProduction });
  await preflight(job);
  return describeDeploy(await deploy(await withRecord(job, record)));
}

/** Reads the records of earlier runs. From here on this one is recorded on GitHub too, if the user wants that. */
async function withRecord(job: DeployJob, record: RecordInputs | undefined): Promise<DeployJob> {
  const { github, plan, workflow, options } = job;
  if (record === undefined || (options.dryRun && !options.onlyIfChanged)) return job;
  const target = deployRecord(plan.target, record, workflow);
  return await recordDeploy({ ...job, records: await readRecords(target, github) }, target);
}
