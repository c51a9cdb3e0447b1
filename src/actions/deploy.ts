import { prepareUpload } from "../deploy/apply/prepared-upload.ts";
import { runDeployment } from "../deploy/deploy.ts";
import { planFromInputs, prepareDeployment } from "../deploy/planned-deployment.ts";
import type { Ending } from "../ending.ts";
import { connectGitHub } from "../github/client.ts";
import { readDeployInputs, withSmokeTests } from "../inputs/deploy.ts";
import { readRecordInputs } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import { readTarget } from "../inputs/target.ts";
import type { ActionContext } from "../report/run-report.ts";
import { deploymentObservers } from "./deployment-observers.ts";
import { attemptOf, deployRecord, readRecords, startRecord } from "./start-record.ts";

/** The root action: creates or updates a deployment, and waits for this run's revision. */
export async function deploy(context: ActionContext): Promise<Ending> {
  context.observe(...deploymentObservers(context));
  const reader = new InputReader(context.env);
  const inputs = await withSmokeTests(readDeployInputs(reader), reader, context);
  const record = readRecordInputs(
    reader,
    ", and the action does not check first that the ref and the configuration file exist",
  );
  const plan = await planFromInputs(readTarget(reader), inputs, reader, context);
  reader.finish(context.log);

  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, context);
  await using upload = await prepareUpload(plan, inputs.controlPlane, context);
  const planned = await prepareDeployment(plan, inputs, upload, github, context);
  if (record === undefined || github === undefined || inputs.mode.dryRun) {
    return await runDeployment(planned, undefined, context);
  }
  const recordTarget = deployRecord(plan.target, record, context.workflow);
  const records = (await readRecords(recordTarget, github)) ?? [];
  const request = attemptOf(planned);
  const resumed = await startRecord(recordTarget, records, request, planned.controlPlane, github, context);
  return await runDeployment(planned, resumed?.applied, context);
}
