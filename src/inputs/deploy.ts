import type { ControlPlaneSettings } from "../platform/platforms.ts";
import { sourceKinds } from "../platform/source-kinds.ts";
import { code, input as inputName, type Message, text } from "../text/message.ts";
import { type BreakingChanges, type CheckInputs, readChecks, rejectWithoutWait } from "./checks.ts";
import { readControlPlane } from "./control-plane.ts";
import type { InputReader } from "./reader.ts";
import { readSecrets, type SecretsInput } from "./secrets.ts";

/** What to deploy. What is undefined was not set. */
export interface DesiredDeployment {
  /** With `source_path`, the source of uploads. */
  readonly source: string | undefined;
  /** `source`, or its default: what a new deployment is made from. */
  readonly sourceKind: string;
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

/** A folder to upload and deploy instead of a ref. */
interface SourceUpload {
  /** Relative to the workspace. */
  readonly path: string;
  readonly installCommand: string | undefined;
  readonly buildCommand: string | undefined;
  /** Whether the address of the upload may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
}

/** Whether and how long to wait for the revision. */
export interface WaitOptions {
  readonly wait: boolean;
  readonly timeoutMs: number;
  /** The delay between two polls. */
  readonly pollIntervalMs: number;
}

/** What to show of the platform's logs: the end after a failure, the build while it runs too, or nothing. */
type BuildLog = "failure" | "live" | "off";

/** What to do once the revision has ended or the run was cancelled. */
interface PostDeployOptions {
  readonly checks: CheckInputs;
  readonly rollbackOnFailure: boolean;
  readonly interruptOnCancel: boolean;
}

/** How to deploy. */
export interface DeployOptions extends WaitOptions, PostDeployOptions {
  readonly dryRun: boolean;
  /** Whether to send nothing if the same is live already. */
  readonly onlyIfChanged: boolean;
  readonly buildLog: BuildLog;
}

/** The inputs that deploy and preview share. */
export interface DeployInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly desired: DesiredDeployment;
  readonly options: DeployOptions;
  readonly githubToken: string | undefined;
}

/** `breakingChanges`: what the action does if `breaking_changes` is not set. */
export function readDeployInputs(
  reader: InputReader,
  breakingChanges: BreakingChanges = "fail",
): DeployInputs {
  const waiting = readWaitOptions(reader);
  const controlPlane = readControlPlane(reader);
  const upload = readSourceUpload(reader);
  const source = upload === undefined ? reader.optional("source") : sourceKinds.upload;
  return {
    controlPlane,
    desired: {
      source,
      sourceKind: source ?? sourceKinds.github,
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
    options: {
      ...waiting,
      dryRun: reader.boolean("dry_run") ?? false,
      onlyIfChanged: reader.boolean("only_if_changed") ?? false,
      buildLog: readBuildLog(reader, controlPlane, waiting.wait),
      ...readPostDeployOptions(reader, controlPlane, waiting.wait, breakingChanges),
    },
    githubToken: reader.optional("github_token"),
  };
}

export function readWaitOptions(reader: InputReader): WaitOptions {
  return {
    wait: reader.boolean("wait") ?? true,
    timeoutMs: reader.seconds("timeout_seconds", 1800),
    pollIntervalMs: reader.seconds("poll_interval_seconds", 3),
  };
}

function readBuildLog(reader: InputReader, { platform }: ControlPlaneSettings, wait: boolean): BuildLog {
  const buildLog = reader.oneOf("build_log", ["failure", "live", "off"], "failure");
  if (buildLog !== "live") return buildLog;
  if (platform.openLog === undefined) {
    reader.reject(
      "build_log",
      text`must not be ${code("live")}: this platform has no logs; see the input ${inputName("platform")}`,
    );
  }
  if (!wait) reader.reject("build_log", text`needs ${code("wait: true")} to be ${code("live")}`);
  return buildLog;
}

function readPostDeployOptions(
  reader: InputReader,
  { platform: { rollbackWarning } }: ControlPlaneSettings,
  wait: boolean,
  breakingChanges: BreakingChanges,
): PostDeployOptions {
  const options: PostDeployOptions = {
    checks: readChecks(reader, wait, breakingChanges),
    rollbackOnFailure: reader.boolean("rollback_on_failure") ?? false,
    interruptOnCancel: reader.oneOf("on_cancel", ["leave", "interrupt"], "leave") === "interrupt",
  };
  if (options.rollbackOnFailure && rollbackWarning !== undefined) reader.note("warning", rollbackWarning);
  if (!wait) {
    if (options.rollbackOnFailure) rejectWithoutWait(reader, "rollback_on_failure");
  }
  return options;
}

/** `source_path`, undefined if it is not set. What contradicts it is rejected. */
function readSourceUpload(reader: InputReader): SourceUpload | undefined {
  const path = reader.optional("source_path");
  const installCommand = reader.optional("install_command");
  const buildCommand = reader.optional("build_command");
  const rejectSet = (names: readonly string[], problem: Message) => {
    for (const name of names) if (reader.optional(name) !== undefined) reader.reject(name, problem);
  };
  const sourcePath = inputName("source_path");
  if (path === undefined) {
    const needsPath = text`needs ${sourcePath}: the platform accepts it only for uploads`;
    rejectSet(["install_command", "build_command"], needsPath);
    return undefined;
  }
  rejectSet(
    ["repo_ref", "repo_url", "image_uri", "integration_id"],
    text`must not be set together with ${sourcePath}, which deploys the files of a folder`,
  );
  rejectSet(
    ["listener_id", "custom_url"],
    text`must not be set together with ${sourcePath}: the platform accepts it only for images`,
  );
  if ((reader.optional("source") ?? sourceKinds.upload) !== sourceKinds.upload) {
    reader.reject("source", text`must be ${code(sourceKinds.upload)} or left out with ${sourcePath}`);
  }
  return { path, installCommand, buildCommand, allowHttp: reader.boolean("allow_http") ?? false };
}
