import type { Context } from "../context.ts";
import type { DeployJob, SourceToSend } from "../deploy/job.ts";
import { type DeployPlan, describeSource, makePlan } from "../deploy/plan/plan.ts";
import { requestDigest } from "../deploy/plan/request-digest.ts";
import {
  type ActionRecord,
  isOfControlPlane,
  listActionRecords,
  type RecordPlace,
} from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { recordWriter } from "../github/record-writer.ts";
import { namesOf, type Target } from "../inputs/read-control-plane.ts";
import type { DeployInputs } from "../inputs/read-deploy-inputs.ts";
import type { InputReader } from "../inputs/reader.ts";
import { consolePageOf } from "../platform/control-plane-settings.ts";
import type { Deployment } from "../platform/deployment.ts";
import { type PlatformJob, platformJob } from "../platform-job.ts";
import { WatchedRevision } from "../report/watched-revision.ts";
import { type PackedSource, packSource } from "../source/pack-source.ts";
import { code, text } from "../text/message.ts";

/** Plans a deploy. Its problems and notices are added to `reader`. */
export function planDeploy(
  { workflow, report }: Context,
  reader: InputReader,
  target: Target,
  { desired, settings }: DeployInputs,
): DeployPlan {
  const { plan, problems, notices } = makePlan(target, desired, workflow, settings);
  for (const problem of problems) reader.add(problem);
  for (const notice of notices) reader.note("notice", notice);
  report.set({ ...namesOf(target), source: describeSource(plan), consolePage: consolePageOf(settings) });
  return plan;
}

/** Packs the folder of `source_path`; undefined if that is not set. @throws Failure if the folder can't be packed */
export async function packUpload(
  context: Context,
  { desired: { upload, secrets, envVars }, content }: DeployPlan,
  { settings: { platform }, options: { checks } }: DeployInputs,
): Promise<PackedUpload | undefined> {
  const { createUploadAddress } = platform;
  // The inputs are rejected on a platform without uploads.
  if (upload === undefined || createUploadAddress === undefined) return undefined;
  const graphs = checks.smokeTests.flatMap(({ run }) => run?.graph ?? []);
  const hasBuildCommand = upload.buildCommand !== undefined;
  const variables = [...platform.reservedNames, ...[...secrets, ...envVars].map(({ name }) => name)];
  const config = { path: content.appConfigPath, graphs, hasBuildCommand, variables };
  return { ...(await packSource(upload.path, config, context)), createUploadAddress };
}

type PackedUpload = PackedSource & SourceToSend;

export interface DeployParts {
  readonly inputs: DeployInputs;
  readonly plan: DeployPlan;
  readonly upload: PackedUpload | undefined;
  readonly github: GitHubClient | undefined;
  /** Undefined if the run is not recorded. */
  readonly recordPlace: RecordPlace | undefined;
  /** Finds the deployment of the plan, maybe by the earlier records of the same task. */
  readonly lookUp: (job: PlatformJob, records: readonly ActionRecord[]) => Promise<Deployment | undefined>;
}

/** Makes the job of a deploy. Reads the GitHub records of earlier runs, and has this run recorded. */
export async function prepareDeploy(
  context: Context,
  { inputs, plan, upload, github, recordPlace, ...parts }: DeployParts,
): Promise<DeployJob> {
  const { settings, options } = inputs;
  const isProduction = recordPlace?.production ?? false;
  const job = {
    ...platformJob(context, settings, options.timeoutMs),
    watched: new WatchedRevision("revision", context),
    plan,
    options,
    upload,
    github,
    isProduction,
  };
  reportPlan(plan, context);
  const taskRecords =
    (recordPlace && (await github?.warnOnFailure(() => listActionRecords(github, recordPlace)))) ?? [];
  const lookUp = () => parts.lookUp(job, taskRecords);
  if (github === undefined || recordPlace === undefined) return { ...job, lookUp };
  const { digest: controlPlaneDigest } = job.controlPlane;
  const digest = requestDigest(plan, settings, upload?.digest);
  if (!options.dryRun) {
    const recordPlan = { place: recordPlace, controlPlaneDigest, requestDigest: digest };
    context.report.listeners.record = recordWriter(recordPlan, github, job);
  }
  const earlier = taskRecords.filter((record) => isOfControlPlane(record, controlPlaneDigest));
  return { ...job, lookUp, records: { requestDigest: digest, earlier } };
}

function reportPlan(plan: DeployPlan, { report }: Context): void {
  const source = describeSource(plan) ?? text`its current source`;
  report.info(
    plan.target.kind === "id"
      ? text`To deploy: ${source}, to deployment ${code(plan.target.id)}.`
      : text`To deploy: ${source}, as ${code(plan.target.name)} (created if it does not exist).`,
  );
}
