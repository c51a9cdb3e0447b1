import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { type CheckInputs, readChecks } from "./checks.ts";
import { readControlPlane } from "./control-plane.ts";
import { maskHeaders } from "./masks.ts";
import type { InputReader } from "./reader.ts";
import { readSecrets, type SecretsInput } from "./secrets.ts";
import { readSmokeTests } from "./smoke-tests.ts";
import { readSourceUpload, type SourceUpload, uploadSource } from "./source-upload.ts";

/** What to deploy; undefined if the input was not given. */
export interface DesiredDeployment {
  /** That of an upload if there is one. */
  readonly source: string | undefined;
  readonly upload: SourceUpload | undefined;
  readonly integrationId: string | undefined;
  readonly listenerId: string | undefined;
  readonly repoUrl: string | undefined;
  readonly deploymentType: string | undefined;
  readonly buildOnPush: boolean | undefined;
  readonly customUrl: string | undefined;
  readonly resourceSpec: Record<string, unknown> | undefined;
  readonly repoRef: string | undefined;
  readonly appConfigPath: string | undefined;
  readonly imageUri: string | undefined;
  readonly secrets: SecretsInput;
}

/** Whether and how long to wait for the revision. */
export interface Waiting {
  readonly wait: boolean;
  readonly timeoutMs: number;
  /** The longest delay between two polls. */
  readonly pollIntervalMs: number;
}

/** What to show of the platform's logs: the end after a failure, the build while it runs too, or nothing. */
export type BuildLog = "failure" | "live" | "off";

export interface DeployMode extends Waiting {
  readonly dryRun: boolean;
  readonly buildLog: BuildLog;
}

/** What to do once the revision has ended or the run was cancelled. */
export interface AfterDeploy {
  /** Whether to fail if the platform built another commit than this run's. */
  readonly verifyCommit: boolean;
  readonly checks: CheckInputs;
  readonly rollbackOnFailure: boolean;
  readonly interruptOnCancel: boolean;
}

/** The inputs that deploy and preview share. */
export interface DeployInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly desired: DesiredDeployment;
  readonly mode: DeployMode;
  readonly after: AfterDeploy;
  readonly githubToken: string | undefined;
}

/** All but `smoke_tests`: see `withSmokeTests`. */
export function readDeployInputs(reader: InputReader): DeployInputs {
  const waiting = readWaiting(reader);
  const controlPlane = readControlPlane(reader);
  const upload = readSourceUpload(reader);
  return {
    controlPlane,
    desired: {
      source: upload === undefined ? reader.optional("source") : uploadSource,
      upload,
      integrationId: reader.optional("integration_id"),
      listenerId: reader.optional("listener_id"),
      repoUrl: reader.optional("repo_url"),
      deploymentType: reader.optional("deployment_type"),
      buildOnPush: reader.boolean("build_on_push"),
      customUrl: reader.optional("custom_url"),
      resourceSpec: reader.jsonObject("resource_spec"),
      repoRef: reader.optional("repo_ref"),
      appConfigPath: reader.optional("app_config_path"),
      imageUri: reader.optional("image_uri"),
      secrets: readSecrets(reader),
    },
    mode: {
      ...waiting,
      dryRun: reader.boolean("dry_run") ?? false,
      buildLog: readBuildLog(reader, controlPlane, waiting.wait),
    },
    after: readAfterDeploy(reader, waiting.wait),
    githubToken: reader.optional("github_token"),
  };
}

export function readWaiting(reader: InputReader): Waiting {
  return {
    wait: reader.boolean("wait") ?? true,
    timeoutMs: reader.seconds("timeout_seconds", 1800),
    pollIntervalMs: reader.seconds("poll_interval_seconds", 4),
  };
}

function readBuildLog(reader: InputReader, { platform }: ControlPlaneSettings, wait: boolean): BuildLog {
  const buildLog = reader.oneOf("build_log", ["failure", "live", "off"], "failure");
  if (buildLog !== "live") return buildLog;
  if (!platform.capabilities.logs) {
    reader.reject("build_log", "must not be live: this platform has no logs; see the input platform");
  }
  if (!wait) reader.reject("build_log", "needs wait: true to be live");
  return buildLog;
}

const needsWait = "needs wait: true, because without waiting the action does not know how the revision ends";

function readAfterDeploy(reader: InputReader, wait: boolean): AfterDeploy {
  const after: AfterDeploy = {
    verifyCommit: reader.boolean("verify_commit") ?? false,
    checks: readChecks(reader),
    rollbackOnFailure: reader.boolean("rollback_on_failure") ?? false,
    interruptOnCancel: reader.oneOf("on_cancel", ["leave", "interrupt"], "leave") === "interrupt",
  };
  if (!wait) {
    if (after.verifyCommit) reader.reject("verify_commit", needsWait);
    if (after.checks.healthPath !== undefined) reader.reject("health_check_path", needsWait);
    if (after.checks.serving === "require") reader.reject("serving_check", `require ${needsWait}`);
    if (reader.optional("smoke_tests") !== undefined) reader.reject("smoke_tests", needsWait);
    if (after.rollbackOnFailure) reader.reject("rollback_on_failure", needsWait);
  }
  return after;
}

/** The inputs with `smoke_tests`, whose headers are masked. What reads them is loaded only if they are given. */
export async function withSmokeTests(
  inputs: DeployInputs,
  reader: InputReader,
  context: Parameters<typeof maskHeaders>[1],
): Promise<DeployInputs> {
  const smokeTests = await readSmokeTests(reader);
  for (const { headers } of smokeTests) maskHeaders(headers, context);
  const { after } = inputs;
  return { ...inputs, after: { ...after, checks: { ...after.checks, smokeTests } } };
}
