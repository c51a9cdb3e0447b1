import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { type AfterDeploy, readAfterDeploy } from "./after-deploy.ts";
import { readControlPlane } from "./control-plane.ts";
import type { InputReader } from "./reader.ts";
import { readSecrets, type SecretsInput } from "./secrets.ts";

/** What is to be deployed; undefined where the input was not given. */
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

/** How to go about it. */
export interface DeployMode {
  readonly wait: boolean;
  readonly dryRun: boolean;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
}

/** The inputs that deploy and preview share (contract, 3 and 4). */
export interface DeployInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly desired: DesiredDeployment;
  readonly mode: DeployMode;
  readonly after: AfterDeploy;
  readonly githubToken: string | undefined;
}

/** Reads what deploy and preview share; problems stay in the reader. */
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
