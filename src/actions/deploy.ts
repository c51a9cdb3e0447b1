import type { DeploymentPlan } from "../deployment/plan.ts";
import { planFromInputs, prepareDeployment } from "../deployment/planned-deployment.ts";
import { withUpload } from "../deployment/prepared-upload.ts";
import { runDeployment } from "../deployment/run-deployment.ts";
import type { Ending } from "../ending.ts";
import { connectGitHub } from "../github/client.ts";
import { readDeployInputs } from "../inputs/deploy.ts";
import { type RecordInputs, readRecordInputs } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import { readTarget, titleOf } from "../inputs/target.ts";
import type { RecordSubject } from "../report/github-record.ts";
import type { ActionContext } from "../report/run-report.ts";
import { headSha, type WorkflowRun } from "../runner/workflow-run.ts";
import { deploymentObservers } from "./deployment-observers.ts";
import { readRecords, startRecord } from "./start-record.ts";

/** The root action: creates or updates a deployment, and waits for this run's revision. */
export async function deploy(context: ActionContext): Promise<Ending> {
  const { workflow } = context;
  context.observe(...deploymentObservers(context));
  const reader = new InputReader(context.env);
  const inputs = readDeployInputs(reader);
  const record = readRecordInputs(reader);
  const plan = await planFromInputs(readTarget(reader), inputs, reader, context);
  reader.finish(context.log);

  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, context);
  return await withUpload(plan, inputs.controlPlane, context, async (upload) => {
    const planned = await prepareDeployment(plan, inputs, upload, github, context);
    if (record === undefined || github === undefined || inputs.mode.dryRun) {
      return await runDeployment(planned, undefined, context);
    }
    const subject = recordSubject(plan, workflow, record);
    const records = (await readRecords(subject, github)) ?? [];
    const resumed = await startRecord(subject, records, planned, github, context);
    return await runDeployment(planned, resumed, context);
  });
}

function recordSubject(
  { target }: DeploymentPlan,
  workflow: WorkflowRun,
  record: RecordInputs,
): RecordSubject {
  return {
    ref: headSha(workflow),
    task: `deploy:${titleOf(target)}`,
    environment: record.environment,
    production: record.production,
    transient: false,
    pullRequest: undefined,
  };
}
