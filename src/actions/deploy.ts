import type { Context } from "../context.ts";
import type { DeploymentPlan } from "../deployment/plan.ts";
import { connectGitHub } from "../github/connect.ts";
import { readDeployInputs } from "../inputs/deploy.ts";
import { InputReader } from "../inputs/reader.ts";
import { type RecordInputs, readRecordInputs } from "../inputs/record.ts";
import { readTarget, titleOf } from "../inputs/target.ts";
import { headSha, readWorkflowRun, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { deploymentReporters } from "../report/deployment-reporters.ts";
import type { RecordSubject } from "../report/github-record.ts";
import { applyPlan } from "./carry-out.ts";
import { planFromInputs, prepare } from "./prepare.ts";
import { readRecords, startRecording } from "./recording.ts";

/** The root action: create or update a deployment, and wait for this run's revision (contract, 3). */
export async function deploy(progress: Progress, context: Context): Promise<Ending> {
  const run = readWorkflowRun(context);
  progress.tell(...deploymentReporters(run, context));
  const reader = new InputReader(context.env);
  const inputs = readDeployInputs(reader);
  const record = readRecordInputs(reader);
  const plan = planFromInputs(readTarget(reader), inputs, run, reader, progress);
  reader.finish(context.log);

  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, run, context);
  const deployment = await prepare({ plan, inputs, run, github, progress, context });
  if (record === undefined || github === undefined || inputs.mode.dryRun) return await applyPlan(deployment);
  const subject = recordSubject(plan, run, record);
  const records = (await readRecords(subject, github)) ?? [];
  return await applyPlan(await startRecording(subject, records, { ...deployment, github }));
}

function recordSubject(plan: DeploymentPlan, run: WorkflowRun, record: RecordInputs): RecordSubject {
  const task = `deploy:${titleOf(plan.target)}`;
  return { ref: headSha(run), task, ...record, transient: false, pullRequest: undefined };
}
