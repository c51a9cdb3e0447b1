import type { Context } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import type { Ending } from "../errors.ts";
import { connectGitHub } from "../github/client.ts";
import { readTarget } from "../inputs/control-plane.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { notRecorded, type RecordInputs, readRecordInputs, warnWithoutToken } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import { code, input, joined, text } from "../text/message.ts";
import { packUpload, planDeploy, prepareDeploy } from "./prepare-deploy.ts";
import { deployRecord } from "./records.ts";

/** The root action: creates or updates a deployment, and waits for this run's revision. */
export async function deployAction(context: Context): Promise<Ending> {
  const reader = new InputReader(context.env);
  const inputs = readDeployInputs(reader);
  const recordInputs = readRecordInputs(reader);
  if (recordInputs !== undefined) warnOfMissingToken(reader, inputs, recordInputs);
  if (inputs.options.onlyIfChanged && recordInputs === undefined) {
    reader.reject(
      "only_if_changed",
      text`needs ${input("environment")}: the record on GitHub shows what is live`,
      { hint: text`Set ${input("environment")}, for example to ${code("production")}.` },
    );
  }
  const plan = planDeploy(context, reader, readTarget(reader), inputs);
  reader.finish(context.report);

  const { options, controlPlane } = inputs;
  const github = connectGitHub(inputs.githubToken, controlPlane.requestTimeoutMs, context);
  await using upload = await packUpload(context, plan, options.checks);
  const job = await prepareDeploy(context, {
    inputs,
    plan,
    upload,
    github,
    recordTarget: recordInputs && deployRecord(plan.target, recordInputs, context.workflow),
    isProduction: recordInputs?.production ?? false,
    isPreview: false,
  });
  return await deploy(job);
}

function warnOfMissingToken(
  reader: InputReader,
  { options, desired }: DeployInputs,
  record: RecordInputs,
): void {
  const consequences = [
    ...(options.dryRun ? [] : [notRecorded(record)]),
    ...(desired.upload === undefined
      ? [text`the action does not check first that the ref and the configuration file exist`]
      : []),
  ];
  if (consequences.length > 0) warnWithoutToken(reader, joined(consequences, ", and "));
}
