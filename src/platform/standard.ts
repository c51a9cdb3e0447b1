import { withoutUndefined } from "../text/json.ts";
import { text } from "../text/message.ts";
import { type DesiredDeployment, sourceKinds } from "./desired-deployment.ts";
import { notSupported, type Platform } from "./platform.ts";
import type { CreateBody, RequestBody, RevisionConfig, SourceConfig } from "./schemas.ts";
import { findSourceProblems } from "./source-rules.ts";

const defaultType = "dev";

/** The published API alone. */
export const standard: Platform = {
  regions: undefined,
  defaultAppConfigPath: undefined,
  deleteTracesQuery: undefined,
  reservedNames: [],
  rollbackWarning: text`The API of this platform describes no way to deploy an earlier revision again, so a rollback may fail.`,

  defaultType: () => defaultType,
  createBody,
  createsWithoutRevision: () => false,
  updateRequests: (desired) => ({ revision: { method: "PATCH", body: updateBody(desired) } }),
  removedSecrets: () => [],

  findProblems: ({ listenerId, k8sNamespace, upload }) => [
    ...(listenerId === undefined ? [] : [notSupported("listener_id")]),
    ...(k8sNamespace === undefined ? [] : [notSupported("k8s_namespace")]),
    ...(upload === undefined ? [] : [notSupported("source_path")]),
  ],
  findUpdateProblems: findSourceProblems,
  fallbackType: () => undefined,
  createWarnings: () => [],

  createUploadAddress: undefined,
  listIntegrations: undefined,
  openLog: undefined,
};

export function createBody(name: string, desired: DesiredDeployment): CreateBody {
  const { sourceKind, content } = desired;
  return {
    name,
    source: sourceKind,
    source_config: {
      integration_id: desired.integrationId ?? null,
      repo_url: desired.repoUrl ?? null,
      deployment_type: desired.deploymentType ?? defaultType,
      ...(sourceKind === sourceKinds.github && { build_on_push: desired.buildOnPush ?? false }),
      custom_url: desired.customUrl ?? null,
      resource_spec: desired.resourceSpec ?? null,
    },
    source_revision_config: {
      repo_ref: content.repoRef ?? null,
      app_config_path: content.appConfigPath ?? null,
      image_uri: content.imageUri ?? null,
    },
    secrets: variablesOf(desired),
  };
}

export function updateBody(desired: DesiredDeployment): RequestBody {
  const { sourceKind, content } = desired;
  const secrets = variablesOf(desired);
  return {
    ...sourceConfig({
      integration_id: desired.integrationId,
      repo_url: desired.repoUrl,
      deployment_type: desired.deploymentType,
      build_on_push: sourceKind === sourceKinds.github ? desired.buildOnPush : undefined,
      custom_url: desired.customUrl,
      resource_spec: desired.resourceSpec,
    }),
    source_revision_config: withoutUndefined<RevisionConfig>({
      repo_ref: content.repoRef,
      app_config_path: content.appConfigPath,
      image_uri: content.imageUri,
    }),
    ...(secrets.length > 0 && { secrets }),
  };
}

/** Returns the defined fields as `source_config`; an empty object if there are none. */
export function sourceConfig(fields: SourceConfig): Pick<RequestBody, "source_config"> {
  const defined = withoutUndefined(fields);
  return Object.keys(defined).length === 0 ? {} : { source_config: defined };
}

/** Platforms take all variables of the agent as its secrets. */
function variablesOf({ secrets, envVars }: DesiredDeployment) {
  return [...secrets, ...envVars];
}
