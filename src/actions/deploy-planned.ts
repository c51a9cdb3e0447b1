import type { Context } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import type { DeployContext } from "../deploy/deploy-context.ts";
import { type DeployPlan, describeContent, makePlan } from "../deploy/plan/plan.ts";
import { requestDigest } from "../deploy/plan/request-digest.ts";
import type { SuccessEnding } from "../errors.ts";
import {
  type ActionRecord,
  isOfControlPlane,
  listEarlierRecords,
  type RecordSettings,
} from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { createRecordWriter } from "../github/record-writer.ts";
import type { DeployInputs } from "../inputs/read-deploy-inputs.ts";
import type { InputReader } from "../inputs/reader.ts";
import { consolePageOf } from "../platform/control-plane-settings.ts";
import type { Deployment } from "../platform/deployment.ts";
import { namesOf, type Target } from "../platform/target.ts";
import { type PlatformContext, withControlPlane } from "../platform-context.ts";
import { RevisionReport } from "../report/revision-report.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { type PackedSource, packSource } from "../source/pack-source.ts";
import { code, phrase, text } from "../text/message.ts";

/** Plans a deploy, after its inputs were read. @throws Failure with all problems of the inputs */
export function planDeploy(
  { workflow, report }: Context,
  reader: InputReader,
  target: Target,
  inputs: DeployInputs,
): DeployPlan {
  const plan = makePlan(reader, target, inputs, workflow);
  const consolePage = consolePageOf(inputs.settings);
  report.set({ ...namesOf(target), contentLabel: describeContent(plan), consolePage });
  reader.finish(report);
  return plan;
}

interface DeploySetup {
  readonly inputs: DeployInputs;
  readonly plan: DeployPlan;
  readonly github: GitHubClient | undefined;
  /** Returns where the run is recorded; undefined if it is not. `commit`: that of an upload's checkout. */
  readonly recordSettings: (commit: CheckedOutCommit | undefined) => RecordSettings | undefined;
  /** Whether the run fails if the earlier records can't be read. */
  readonly requiresRecords?: boolean;
  /** Finds the deployment of a name, maybe by the earlier records of the same task. */
  readonly lookUp: (
    context: PlatformContext,
    name: string,
    records: readonly ActionRecord[],
  ) => Promise<Deployment | undefined>;
}

export async function deployPlanned(context: Context, setup: DeploySetup): Promise<SuccessEnding> {
  await using archive = await packIfGiven(context, setup);
  return await deploy(await prepareDeploy(context, setup, archive));
}

/** Packs the folder of `source_path`; undefined if that is not set. @throws Failure if the folder can't be packed */
async function packIfGiven(
  context: Context,
  { plan, inputs }: DeploySetup,
): Promise<PackedSource | undefined> {
  const { upload, content, secrets, envVars } = plan.desired;
  if (upload === undefined) return undefined;
  const graphs = inputs.options.checks.smokeTests.flatMap(({ run }) => run?.graph ?? []);
  const hasBuildCommand = upload.buildCommand !== undefined;
  const variables = [
    ...inputs.settings.platform.reservedNames,
    ...[...secrets, ...envVars].map(({ name }) => name),
  ];
  const config = { path: content.appConfigPath, graphs, hasBuildCommand, variables };
  return await packSource(upload.path, config, context);
}

/** Makes the context of a deploy. Reads the GitHub records of earlier runs, and has this run recorded. */
async function prepareDeploy(
  context: Context,
  { inputs, plan, github, ...setup }: DeploySetup,
  archive: PackedSource | undefined,
): Promise<DeployContext> {
  const { settings, options } = inputs;
  const recordSettings = setup.recordSettings(archive?.commit);
  const publicValues = plan.desired.envVars.map(({ value }) => value);
  const unrecorded = {
    ...withControlPlane(context, { ...settings, publicValues }, options.timeoutMs),
    revisionReport: new RevisionReport("revision", context),
    plan,
    options,
    archive,
    github,
    isPreview: recordSettings?.pullRequest !== undefined,
    isProduction: recordSettings?.production ?? false,
  };
  reportPlan(plan, context);
  const allEarlierRecords =
    recordSettings === undefined
      ? []
      : await listEarlierRecords(github, recordSettings, setup.requiresRecords);
  const lookUp = (name: string) => setup.lookUp(unrecorded, name, allEarlierRecords);
  if (github === undefined || recordSettings === undefined) return { ...unrecorded, lookUp };
  const { digest: controlPlaneDigest } = unrecorded.controlPlane;
  const digest = requestDigest(plan, settings, archive?.digest);
  if (!options.dryRun) {
    const recordOptions = { settings: recordSettings, controlPlaneDigest, requestDigest: digest };
    context.report.prependListener(createRecordWriter(recordOptions, github, unrecorded));
  }
  const earlierRecords = allEarlierRecords.filter((record) => isOfControlPlane(record, controlPlaneDigest));
  return {
    ...unrecorded,
    lookUp,
    recording: { github, requestDigest: digest, earlierRecords },
  };
}

function reportPlan(plan: DeployPlan, { report }: Context): void {
  const content = describeContent(plan) ?? phrase`its current source`;
  report.info(
    plan.target.kind === "id"
      ? text`To deploy: ${content}, to deployment ${code(plan.target.id)}.`
      : text`To deploy: ${content}, as ${code(plan.target.name)} (created if it does not exist).`,
  );
}
