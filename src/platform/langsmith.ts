import type { Failure } from "../errors.ts";
import { hasStatus } from "../http/request-error.ts";
import { code, inputName, rawText, text } from "../text/message.ts";
import { type DesiredDeployment, sourceKinds } from "./desired-deployment.ts";
import { createUploadAddress, listIntegrations } from "./langsmith-endpoints.ts";
import {
  createWarning,
  findProblems,
  findUpdateProblems,
  removedSecrets,
  reservedNames,
  wireType,
} from "./langsmith-rules.ts";
import type { Platform, UpdateRequests } from "./platform.ts";
import type { RequestBody, RevisionConfig } from "./request-body.ts";
import { openLog } from "./revision-log.ts";
import { sourceConfig, createBody as standardCreateBody, updateBody } from "./standard.ts";

const defaultAppConfigPath = "langgraph.json";

/** Returns the platform in the vendor's cloud, or else that of a self-hosted installation. */
export function createLangsmith(isCloud: boolean): Platform {
  return {
    defaultAppConfigPath,
    reservedNames,
    canDeleteTraces: true,
    rollbackWarning: undefined,

    defaultType(sourceKind) {
      if (sourceKind === sourceKinds.otherImage) return undefined;
      return isCloud ? "serverless" : "dev";
    },
    createBody,
    createsWithoutRevision,
    updateRequests,
    removedSecrets,

    findProblems: (desired) => findProblems(desired, isCloud),
    findUpdateProblems,
    fallbackType,
    createWarning: (name, desired) => createWarning(name, desired, isCloud),

    uploads: { defaultConfigPath: defaultAppConfigPath, createAddress: createUploadAddress },
    listIntegrations,
    openLog,
  };
}

/** Adds the platform's own fields to those of the published API. */
function createBody(name: string, desired: DesiredDeployment): RequestBody {
  const { sourceKind, deploymentType, listenerId, k8sNamespace } = desired;
  const body = standardCreateBody(name, desired);
  const { image_uri, ...content } = withPlatformsPath(body.source_revision_config);
  return {
    ...body,
    source_config: {
      ...body.source_config,
      deployment_type: deploymentType && wireType(deploymentType),
      resource_spec: desired.resourceSpec ?? (sourceKind === sourceKinds.otherImage ? {} : null),
      listener_id: listenerId,
      listener_config: k8sNamespace === undefined ? undefined : { k8s_namespace: k8sNamespace },
    },
    source_revision_config: { ...content, image_uri: createsWithoutRevision(sourceKind) ? null : image_uri },
  };
}

/** An archive, or an image in the platform's own registry, is sent after the create. */
function createsWithoutRevision(sourceKind: string | undefined): boolean {
  return sourceKind === sourceKinds.upload || sourceKind === sourceKinds.platformImage;
}

/** Leaves out fields that are fixed once the deployment exists: the platform refuses even another spelling of their value. */
function updateRequests(desired: DesiredDeployment): UpdateRequests {
  const { source_config = {}, source_revision_config = {}, ...others } = updateBody(desired);
  const { custom_url, resource_spec, repo_url, build_on_push } = source_config;
  const { sourceKind, upload, content } = desired;
  const body: RequestBody = {
    source_revision_config: {
      ...withPlatformsPath(source_revision_config),
      source_tarball_path: content.tarballPath,
    },
    ...others,
  };
  if (createsWithoutRevision(sourceKind)) {
    const commands = {
      install_command: upload?.installCommand,
      build_command: upload?.buildCommand,
    };
    const config = sourceConfig({ custom_url, resource_spec, ...commands });
    return { revision: { method: "PATCH", body: { revision_source: sourceKind, ...config, ...body } } };
  }
  const config = sourceConfig({ repo_url, build_on_push, custom_url });
  return {
    config: config.source_config && { method: "PATCH", body: config },
    revision: { method: "POST", body: { ...sourceConfig({ resource_spec }), ...body } },
  };
}

/** Returns a `source_revision_config` with the platform's name for `app_config_path`. */
function withPlatformsPath({
  app_config_path: langgraph_config_path,
  ...others
}: RevisionConfig): RevisionConfig {
  return { ...others, langgraph_config_path };
}

/** Returns `dev` in the AWS region, where no type scales to zero. Only these words of the refusal show that. */
function fallbackType(refusal: Failure): ReturnType<Platform["fallbackType"]> {
  const isRefused = hasStatus(refusal, 400) && /scale to zero/i.test(rawText(refusal.ending.message));
  return isRefused ? { type: "dev", hint: noServerlessHint } : undefined;
}

const noServerlessHint = text`Set ${inputName("deployment_type")} to ${code("dev")} or ${code("dedicated")}: this platform has no ${code("serverless")}.`;
