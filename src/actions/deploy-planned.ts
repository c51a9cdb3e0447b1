import { type Context, type PlatformContext, withControlPlane } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import { type DeployPlan, describeContent, makePlan } from "../deploy/plan/plan.ts";
import { requestDigest } from "../deploy/plan/request-digest.ts";
import type { SuccessEnding } from "../errors.ts";
import { type ActionRecord, isOfControlPlane, type RecordSettings } from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { recordRun } from "../github/record-writer.ts";
import type { DeployInputs } from "../inputs/read-deploy-inputs.ts";
import type { InputReader } from "../inputs/reader.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { Target } from "../platform/target.ts";
import type { SourceArchive } from "../source/archive.ts";
import { packSource } from "../source/pack-source.ts";
import { code, phrase, text } from "../text/message.ts";

/** Plans a deploy, after its inputs were read. @throws Failure with all problems of the inputs */
export function requirePlan(
  { workflow, report }: Context,
  reader: InputReader,
  target: Target,
  inputs: DeployInputs,
): DeployPlan {
  const plan = makePlan(reader, target, inputs, workflow);
  const contentLabel = describeContent(plan);
  report.set({ contentLabel });
  reader.finish(report);
  const content = contentLabel ?? phrase`its current source`;
  report.info(
    target.kind === "id"
      ? text`To deploy: ${content}, to deployment ${code(target.id)}.`
      : text`To deploy: ${content}, as ${code(target.name)} (created if it does not exist).`,
  );
  return plan;
}

export interface DeployJob {
  readonly inputs: DeployInputs;
  readonly plan: DeployPlan;
  readonly github: GitHubClient | undefined;
  /** Undefined if the run is not recorded. */
  readonly record: RecordSettings | undefined;
  /** Reads the records of earlier runs, newest first. */
  readonly readRecords: () => Promise<readonly ActionRecord[]>;
  /** Finds the deployment of the plan's name. Undefined if there is none. */
  readonly lookUp: (
    context: PlatformContext,
    records: readonly ActionRecord[],
  ) => Promise<Deployment | undefined>;
}

/** Packs the source, has the run recorded, and deploys. */
export async function deployPlanned(context: Context, job: DeployJob): Promise<SuccessEnding> {
  const { plan, github, record } = job;
  const { settings, options } = job.inputs;
  await using archive = await packIfGiven(context, job);
  const platformContext = withControlPlane(context, settings, options.timeoutMs);
  const records = await job.readRecords();
  const digest = requestDigest(plan, settings, archive?.digest);
  if (github !== undefined && record !== undefined && !options.dryRun)
    recordRun(record, github, platformContext, digest);
  return await deploy({
    ...platformContext,
    plan,
    options,
    archive,
    github,
    record,
    earlierRecords: records.filter((one) => isOfControlPlane(one, platformContext.controlPlane.digest)),
    requestDigest: digest,
    lookUp: () => job.lookUp(platformContext, records),
  });
}

async function packIfGiven(
  context: Context,
  { plan, inputs }: DeployJob,
): Promise<SourceArchive | undefined> {
  const { upload, secrets, envVars } = plan.desired;
  if (upload === undefined) return undefined;
  const testedGraphs = inputs.options.checks.smokeTests.flatMap(({ run }) => run?.graph ?? []);
  const hasBuildCommand = upload.buildCommand !== undefined;
  const variables = [
    ...inputs.settings.platform.reservedNames,
    ...[...secrets, ...envVars].map(({ name }) => name),
  ];
  const config = { path: upload.configPath, testedGraphs, hasBuildCommand, variables };
  return await packSource(upload.path, config, context);
}
