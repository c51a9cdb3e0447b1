import { withoutUndefined } from "../text/json.ts";
import { text } from "../text/message.ts";
import { type DesiredDeployment, isFromGitHub } from "./desired-deployment.ts";
import { notSupported, type Platform } from "./platform.ts";
import type { RequestBody, SourceConfig } from "./request-body.ts";
import { findSourceProblems } from "./source-rules.ts";

/** The published API alone. */
export const standard: Platform = {
  defaultAppConfigPath: undefined,
  canDeleteTraces: false,
  reservedNames: [],
  rollbackWarning: text`The API of this platform describes no way to deploy an earlier revision again, so a rollback may fail.`,

  defaultType: () => "dev",
  createBody,
  createsWithoutRevision: () => false,
  updateRequests: (desired) => ({ revision: { method: "PATCH", body: updateBody(desired) } }),
  removedSecrets: () => [],

  findProblems: ({ listenerId, k8sNamespace }) => [
    ...(listenerId === undefined ? [] : [notSupported("listener_id")]),
    ...(k8sNamespace === undefined ? [] : [notSupported("k8s_namespace")]),
  ],
  findUpdateProblems: findSourceProblems,
  fallbackType: () => undefined,
  createWarning: () => undefined,

  uploads: undefined,
  listIntegrations: undefined,
  openLog: undefined,
};

export function createBody(name: string, desired: DesiredDeployment) {
  const { source_config, source_revision_config, secrets } = fieldsOf(desired);
  const { build_on_push, ...config } = source_config;
  return {
    name,
    source: desired.sourceKind,
    source_config: {
      ...orNull(config),
      ...(isFromGitHub(desired) && { build_on_push: build_on_push ?? false }),
    },
    source_revision_config: orNull(source_revision_config),
    secrets,
  };
}

export function updateBody(desired: DesiredDeployment): RequestBody {
  const { source_config, source_revision_config, secrets } = fieldsOf(desired);
  return {
    ...sourceConfig(source_config),
    source_revision_config,
    ...(secrets.length > 0 && { secrets }),
  };
}

function fieldsOf(desired: DesiredDeployment) {
  const { content } = desired;
  return {
    source_config: {
      integration_id: desired.integrationId,
      repo_url: desired.repoUrl,
      deployment_type: desired.deploymentType,
      build_on_push: isFromGitHub(desired) ? desired.buildOnPush : undefined,
      custom_url: desired.customUrl,
      resource_spec: desired.resourceSpec,
    },
    source_revision_config: {
      repo_ref: content.repoRef,
      app_config_path: content.appConfigPath,
      image_uri: content.imageUri,
    },
    // Platforms take all variables of the agent as its secrets.
    secrets: [...desired.secrets, ...desired.envVars],
  };
}

function orNull<T extends object>(fields: T) {
  const sent: { [Field in keyof T]: T[Field] | null } = { ...fields };
  for (const field in sent) sent[field] ??= null;
  return sent;
}

/** Returns the defined fields as `source_config`; an empty object if there are none. */
export function sourceConfig(fields: SourceConfig): Pick<RequestBody, "source_config"> {
  const defined = withoutUndefined(fields);
  return Object.keys(defined).length === 0 ? {} : { source_config: defined };
}
