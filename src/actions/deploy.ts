import type { Context } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import { platformJob } from "../deploy/job.ts";
import { requestDigest } from "../deploy/plan/request-digest.ts";
import { preflight } from "../deploy/preflight.ts";
import { connectGitHub } from "../github/client.ts";
import { readTarget } from "../inputs/control-plane.ts";
import { readDeployInputs } from "../inputs/deploy.ts";
import { readRecordInputs } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import type { RunResult } from "../report/result.ts";
import { describeDeploy } from "../report/sentences/deploy.ts";
import { input, text } from "../text/message.ts";
import { packUpload, planDeploy } from "./plan-deploy.ts";
import { deployRecord, readRunRecords } from "./records.ts";
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
  const preflightJob = { ...platformJob(context, settings, options.timeoutMs), plan, github };
  await preflight(preflightJob);
  // A dry run reads records only to find out what changed.
  const isRecorded = record !== undefined && (!options.dryRun || options.onlyIfChanged);
  const digest = requestDigest(plan, settings, upload?.digest);
  const records = isRecorded
    ? await readRunRecords(deployRecord(plan.target, record, context.workflow), github, digest)
    : undefined;
  const isProduction = record?.production ?? false;
  return describeDeploy(await deploy({ ...preflightJob, settings, options, upload, records, isProduction }));
}
