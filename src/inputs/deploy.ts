import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { readControlPlane } from "./control-plane.ts";
import type { InputReader } from "./reader.ts";
import { readSecrets, type SecretsInput } from "./secrets.ts";

/** What to deploy; undefined if the input was not given. */
export interface DesiredDeployment {
  readonly source: string | undefined;
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

export interface DeployMode {
  readonly wait: boolean;
  readonly dryRun: boolean;
  readonly timeoutMs: number;
  /** The longest delay between two polls. */
  readonly pollIntervalMs: number;
}

export interface HealthCheck {
  /** Starts with `/` and may contain a query. */
  readonly path: string;
  readonly timeoutMs: number;
  /** Whether the deployment's URL may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
}

/** What to do once the revision has ended or the run was cancelled. */
export interface AfterDeploy {
  /** Whether to fail if the platform built another commit than this run's. */
  readonly verifyCommit: boolean;
  readonly healthCheck: HealthCheck | undefined;
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

export function readDeployInputs(reader: InputReader): DeployInputs {
  const wait = reader.boolean("wait") ?? true;
  return {
    controlPlane: readControlPlane(reader),
    desired: {
      source: reader.optional("source"),
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
      wait,
      dryRun: reader.boolean("dry_run") ?? false,
      timeoutMs: reader.seconds("timeout_seconds", 1800),
      pollIntervalMs: reader.seconds("poll_interval_seconds", 4),
    },
    after: readAfterDeploy(reader, wait),
    githubToken: reader.optional("github_token"),
  };
}

function readAfterDeploy(reader: InputReader, wait: boolean): AfterDeploy {
  const after: AfterDeploy = {
    verifyCommit: reader.boolean("verify_commit") ?? false,
    healthCheck: readHealthCheck(reader),
    rollbackOnFailure: reader.boolean("rollback_on_failure") ?? false,
    interruptOnCancel: reader.oneOf("on_cancel", ["leave", "interrupt"], "leave") === "interrupt",
  };
  if (!wait) {
    const needsWait =
      "needs wait: true, because without waiting the action does not know how the revision ends";
    if (after.verifyCommit) reader.reject("verify_commit", needsWait);
    if (after.healthCheck) reader.reject("health_check_path", needsWait);
    if (after.rollbackOnFailure) reader.reject("rollback_on_failure", needsWait);
  }
  return after;
}

function readHealthCheck(reader: InputReader): HealthCheck | undefined {
  const timeoutMs = reader.seconds("health_check_timeout_seconds", 60);
  const path = reader.optional("health_check_path");
  if (path === undefined) return undefined;
  const problem = pathProblem(path);
  if (problem !== undefined) reader.reject("health_check_path", problem);
  return { path, timeoutMs, allowHttp: reader.boolean("allow_http") ?? false };
}

/** A path must not lead to another host or out of the path of the deployment's URL. A fragment is never sent. */
function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) return "must start with exactly one /, such as /ok";
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path)) {
    return "must not contain a blank, a \\, a # or a character beyond ASCII (encode it with %)";
  }
  const pathname = path.replace(/\?.*/, "");
  const isDots = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);
  return pathname.split(/\/|%2f|%5c/i).some(isDots) ? "must not contain the segments . or .." : undefined;
}
