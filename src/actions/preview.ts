import { ControlPlane } from "../control-plane/client.ts";
import { ActionError } from "../errors.ts";
import type { GitHub } from "../github/client.ts";
import { connectGitHub } from "../github/connect.ts";
import { makeInactive, type OwnRecord, tolerate } from "../github/records.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { type PreviewInputs, readPreviewInputs } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import { readWorkflowRun, repositoryUrl, runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { DeploymentPlan, Target } from "../plan/deployment-plan.ts";
import { type PullRequest, previewTask } from "../plan/preview-event.ts";
import { previewRecordTask } from "../plan/preview-name.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../report/ending.ts";
import { logReporter } from "../report/log.ts";
import { outputsReporter } from "../report/outputs.ts";
import type { Progress } from "../report/progress.ts";
import { CommentReporter } from "../report/pull-request-comment.ts";
import { summaryReporter } from "../report/summary.ts";
import { findToDelete } from "../write/remove.ts";
import { deletePatienceMs, removeAndTell } from "./delete.ts";
import { carryOut, planFromInputs } from "./deployment-run.ts";
import { checkRepository } from "./preflight.ts";
import { type RecordSubject, readRecords, startRecording } from "./recording.ts";

/** The preview of one pull request. */
interface Preview {
  readonly inputs: PreviewInputs;
  readonly pullRequest: PullRequest;
  readonly run: WorkflowRun;
  readonly github: GitHub | undefined;
  readonly progress: Progress;
  readonly ports: Ports;
}

/** The preview action: deploys a pull request's own deployment, or deletes it (contract, 4). */
export async function preview(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports.env);
  progress.tell(outputsReporter(ports), logReporter(ports), summaryReporter(run, ports));
  const reader = new InputReader(ports.env);
  const given = { label: reader.optional("label"), hasKey: reader.optional("api_key") !== undefined };
  const task = previewTask(run, given);
  if (task.kind === "skip") {
    ports.log.notice(`No preview: ${task.why}.`);
    return { outcome: "skipped", message: `Nothing was done: ${task.why}.` };
  }
  const { pullRequest } = task;
  const inputs = readPreviewInputs(reader, run.repository, pullRequest.number);
  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, run, ports);
  const subject: Preview = { inputs, pullRequest, run, github, progress, ports };
  if (task.kind === "deploy") return await deployPreview(subject, reader);
  reader.finish();
  return await deletePreview(subject, task.why);
}

async function deployPreview(preview: Preview, reader: InputReader): Promise<Ending> {
  const { inputs, run, github, progress, ports } = preview;
  const deployInputs = readDeployInputs(reader);
  const target: Target = { kind: "name", name: inputs.name };
  const plan = planFromInputs(target, deployInputs, run, reader, progress);
  await checkRepository(plan, run, github);
  const records = await readRecords(recordSubject(preview), github, ports);
  const known = { ...plan, target: { ...target, recordedId: records[0]?.payload.deployment_id } };
  try {
    return await deployAndWatch(preview, known, deployInputs, records);
  } catch (error) {
    // The run for the closing may have deleted under this one's hands what it was about to read.
    if (!(error instanceof ActionError) || ports.cancelled.aborted || progress.facts.writtenAt === undefined)
      throw error;
    const overtaken = await deleteIfUnwanted(preview, planePatiently(preview));
    if (overtaken === undefined) throw error;
    return overtaken;
  }
}

async function deployAndWatch(
  preview: Preview,
  plan: DeploymentPlan,
  inputs: DeployInputs,
  records: readonly OwnRecord[],
): Promise<Ending> {
  const { run, github, progress, ports } = preview;
  const until = ports.clock.now() + inputs.mode.timeoutMs;
  const plane = new ControlPlane(inputs.controlPlane, ports, { attempts: 5, until });
  if (github === undefined || inputs.mode.dryRun)
    return await carryOut({ plan, inputs, run, plane, progress, ports });
  const resumed = await startRecording(recordSubject(preview), records, {
    github,
    plane,
    run,
    progress,
    ports,
  });
  tellComment(preview, github);
  const overtaken = () => deleteIfUnwanted(preview, planePatiently(preview));
  const ending = await carryOut({ plan, inputs, run, plane, progress, ports, resumed, overtaken });
  return ending.outcome === "deleted" ? ending : ((await overtaken()) ?? ending);
}

/** Deletes what this run made if its pull request was closed, or lost its label, meanwhile (contract, 4). */
async function deleteIfUnwanted(preview: Preview, plane: ControlPlane): Promise<Ending | undefined> {
  const { github, inputs, pullRequest, progress, ports } = preview;
  const state = github && (await tolerate(ports.log, () => github.pullRequest(pullRequest.number)));
  if (state === undefined) return undefined;
  const wanted = state.open && (inputs.label === undefined || state.labels.includes(inputs.label));
  if (wanted) return undefined;
  const why = state.open ? `lost its label ${inputs.label}` : "was closed";
  ports.log.notice(`The pull request ${why} while its preview was being deployed: deleting what was made.`);
  const id = progress.facts.deploymentId ?? (await findPreview(preview, undefined, plane));
  return await removeAndTell(id, plane, progress, ports);
}

/** The preview's deployment: what an earlier run recorded, or else what goes by its name. */
function findPreview(
  { inputs, run, ports }: Preview,
  recordedId: string | undefined,
  plane: ControlPlane,
): Promise<string | undefined> {
  const target: Target = { kind: "name", name: inputs.name, recordedId };
  return findToDelete({ target, repoUrl: repositoryUrl(run) }, plane, ports);
}

async function deletePreview(preview: Preview, why: string): Promise<Ending> {
  const { inputs, run, github, progress, ports } = preview;
  progress.facts.title = inputs.name;
  progress.facts.name = inputs.name;
  ports.log.info(`Deleting the preview ${inputs.name}: ${why}.`);
  const records = await readRecords(recordSubject(preview), github, ports);
  const plane = planePatiently(preview);
  const id = await findPreview(preview, records[0]?.payload.deployment_id, plane);
  if (inputs.dryRun)
    return {
      outcome: "planned",
      message: `This run would delete ${id ?? "nothing"}; nothing was sent (dry_run: true).`,
    };
  if (github) tellComment(preview, github);
  const ending = await removeAndTell(id, plane, progress, ports);
  if (github)
    await tolerate(ports.log, () => makeInactive(github, records, runUrl(run), "The preview was deleted"));
  return ending;
}

function tellComment(preview: Preview, github: GitHub): void {
  const { inputs, pullRequest, run, progress, ports } = preview;
  if (!inputs.comment) return;
  const plan = { name: inputs.name, pullRequest: pullRequest.number, headSha: pullRequest.headSha };
  progress.tell(new CommentReporter(plan, run, github, ports));
}

/** The control plane for a clean-up, which has its own time however much of the deploy's is used up. */
function planePatiently({ inputs, ports }: Preview): ControlPlane {
  return new ControlPlane(inputs.controlPlane, ports, {
    attempts: 5,
    until: ports.clock.now() + deletePatienceMs,
  });
}

function recordSubject({ inputs, pullRequest }: Preview): RecordSubject {
  return {
    ref: pullRequest.headSha,
    task: previewRecordTask(inputs.name),
    environment: inputs.environment,
    transient: true,
    production: false,
    pullRequest: pullRequest.number,
  };
}
