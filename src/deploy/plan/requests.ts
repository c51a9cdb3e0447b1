import type { RevisionContent } from "../../platform/deployment.ts";
import type { DesiredDeployment } from "../../platform/desired-deployment.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CreateRequest, UpdateRequest } from "../../platform/schemas.ts";
import { sourceKinds } from "../../platform/source-kinds.ts";
import { withoutUndefined } from "../../text/json.ts";

/** The defaults of a create for inputs that were not given. */
interface CreateDefaults {
  readonly sourceConfig: ReturnType<Platform["createDefaults"]>;
  /** Whether the archive or image is sent after the create. */
  readonly contentFollowsCreate: boolean;
  readonly repoUrl?: string | undefined;
  readonly appConfigPath?: string | undefined;
}

/** A create carries every field, `null` if it was not given (docs/specification.md#what-is-sent). */
export function createRequest(
  name: string,
  desired: DesiredDeployment,
  content: RevisionContent,
  defaults: CreateDefaults,
): CreateRequest {
  const { deploymentType = defaults.sourceConfig.deployment_type, listenerId, k8sNamespace } = desired;
  return {
    name,
    source: desired.sourceKind,
    source_config: {
      integration_id: desired.integrationId ?? null,
      repo_url: desired.repoUrl ?? defaults.repoUrl ?? null,
      ...(deploymentType !== undefined && { deployment_type: deploymentType }),
      ...(desired.sourceKind === sourceKinds.github && { build_on_push: desired.buildOnPush ?? false }),
      custom_url: desired.customUrl ?? null,
      resource_spec: desired.resourceSpec ?? defaults.sourceConfig.resource_spec ?? null,
      ...(listenerId !== undefined && { listener_id: listenerId }),
      ...(k8sNamespace !== undefined && { listener_config: { k8s_namespace: k8sNamespace } }),
    },
    source_revision_config: {
      repo_ref: content.repoRef ?? null,
      app_config_path: content.appConfigPath ?? defaults.appConfigPath ?? null,
      image_uri: defaults.contentFollowsCreate ? null : (content.imageUri ?? null),
    },
    secrets: variablesOf(desired),
  };
}

/** An update carries only the fields that were given (docs/specification.md#what-is-sent). */
export function updateRequest(desired: DesiredDeployment, content: RevisionContent): UpdateRequest {
  const sourceConfig = withoutUndefined({
    integration_id: desired.integrationId,
    repo_url: desired.repoUrl,
    deployment_type: desired.deploymentType,
    build_on_push: desired.sourceKind === sourceKinds.github ? desired.buildOnPush : undefined,
    custom_url: desired.customUrl,
    resource_spec: desired.resourceSpec,
    listener_id: desired.listenerId,
    install_command: desired.upload?.installCommand,
    build_command: desired.upload?.buildCommand,
  });
  const secrets = variablesOf(desired);
  return {
    ...(Object.keys(sourceConfig).length > 0 && { source_config: sourceConfig }),
    source_revision_config: revisionConfig(content),
    ...(secrets.length > 0 && { secrets }),
  };
}

/** Platforms take all variables of the agent as its secrets. */
function variablesOf({ secrets, envVars }: DesiredDeployment) {
  return [...secrets, ...envVars];
}

/** Returns the defined fields of a content, by their names on the wire. */
export function revisionConfig(content: RevisionContent) {
  return withoutUndefined({
    repo_ref: content.repoRef,
    app_config_path: content.appConfigPath,
    image_uri: content.imageUri,
    source_tarball_path: content.tarballPath,
  });
}
