import { connectGitHub } from "../github/connect.ts";
import { readDeployInputs } from "../inputs/deploy.ts";
import { InputReader } from "../inputs/reader.ts";
import { type RecordInputs, readRecordInputs } from "../inputs/record.ts";
import { readTarget, titleOf } from "../inputs/target.ts";
import { headSha, readWorkflowRun, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { deploymentReporters } from "../report/deployment-reporters.ts";
import type { RecordSubject } from "../report/github-record.ts";
import { carryOut } from "./carry-out.ts";
import { planFromInputs, prepare } from "./prepare.ts";
import { readRecords, startRecording } from "./recording.ts";

/** The root action: create or update a deployment, and wait for this run's revision (contract, 3). */
export async function deploy(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports);
  progress.tell(...deploymentReporters(run, ports));
  const reader = new InputReader(ports.env);
  const inputs = readDeployInputs(reader);
  const record = readRecordInputs(reader);
  const plan = planFromInputs(readTarget(reader), inputs, run, reader, progress);
  reader.finish(ports.log);

  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, run, ports);
  const deployment = await prepare({ plan, inputs, run, github, progress, ports });
  if (record === undefined || github === undefined || inputs.mode.dryRun) return await carryOut(deployment);
  const subject = recordSubject(plan, run, record);
  const records = (await readRecords(subject, github)) ?? [];
  return await carryOut(await startRecording(subject, records, { ...deployment, github }));
}

function recordSubject(plan: DeploymentPlan, run: WorkflowRun, record: RecordInputs): RecordSubject {
  const task = `deploy:${titleOf(plan.target)}`;
  return { ref: headSha(run), task, ...record, transient: false, pullRequest: undefined };
}
