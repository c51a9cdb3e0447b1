import type * as v from "valibot";
import type { DeploymentId, RevisionId } from "./ids.ts";
import type { DeploymentSchema, RevisionSchema } from "./schemas.ts";
import { classifyStatus, type Status } from "./status.ts";

/** A deployment; a field that the platform does not show is undefined. */
export interface Deployment {
  readonly id: DeploymentId;
  readonly name: string | undefined;
  readonly tenantId: string | undefined;
  readonly status: string | undefined;
  readonly url: string | undefined;
  readonly repoUrl: string | undefined;
  readonly sourceKind: string | undefined;
  readonly integrationId: string | undefined;
  readonly deploymentType: string | undefined;
  /** `null` if the platform says that there is none. */
  readonly listenerId: string | null | undefined;
  readonly k8sNamespace: string | undefined;
  readonly secretNames: readonly string[] | undefined;
  readonly latestRevisionId: RevisionId | undefined;
  readonly activeRevisionId: RevisionId | undefined;
  /** Whether any response to this run has shown its live revision. */
  readonly hasShownLive: boolean;
}

/** A revision; a field that the platform does not show is undefined. */
export interface Revision {
  readonly id: RevisionId;
  readonly status: Status;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** The reason for the status, in the platform's words. */
  readonly statusMessage: string | undefined;
  readonly content: RevisionContent | undefined;
}

/** What a revision is built from. */
export interface RevisionContent {
  readonly repoRef?: string | undefined;
  readonly appConfigPath?: string | undefined;
  readonly imageUri?: string | undefined;
  /** The platform's name for an uploaded archive. */
  readonly tarballPath?: string | undefined;
  /** The commit that the platform built. */
  readonly commitSha?: string | undefined;
}

export function isBeingDeleted({ status }: Deployment): boolean {
  return ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"].includes(status?.toUpperCase() ?? "");
}

export function toDeployment(
  wire: v.InferOutput<typeof DeploymentSchema>,
  hasShownLive: boolean,
): Deployment {
  const { source_config: config } = wire;
  return {
    id: wire.id,
    name: wire.name,
    tenantId: wire.tenant_id,
    status: wire.status,
    url: httpUrl(wire.url) ?? httpUrl(config?.custom_url),
    repoUrl: config?.repo_url,
    sourceKind: wire.source,
    integrationId: config?.integration_id,
    deploymentType: config?.deployment_type,
    listenerId: config?.listener_id,
    k8sNamespace: config?.listener_config?.k8s_namespace,
    secretNames: wire.secrets?.map(({ name }) => name),
    latestRevisionId: wire.latest_revision_id,
    activeRevisionId: wire.active_revision_id,
    hasShownLive,
  };
}

export function toRevision(wire: v.InferOutput<typeof RevisionSchema>): Revision {
  const content = wire.source_revision_config;
  return {
    id: wire.id,
    status: classifyStatus(wire.status),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
    statusMessage: wire.status_message,
    content: content && {
      repoRef: content.repo_ref,
      appConfigPath: content.app_config_path ?? content.langgraph_config_path,
      imageUri: content.image_uri,
      tarballPath: content.source_tarball_path,
      commitSha: content.repo_commit_sha,
    },
  };
}

const plainUrl = /^https?:\/\/[^\s\p{C}\p{Default_Ignorable_Code_Point}]{1,2000}$/iu;

/**
 * Returns the URL if it is http(s), without user info, query and fragment, which may be credentials. A URL with blanks or
 * invisible characters is dropped, because a parser changes them: a link would not lead where its text says.
 */
function httpUrl(raw = ""): string | undefined {
  if (!plainUrl.test(raw) || !URL.canParse(raw)) return undefined;
  const { username, password, origin, pathname } = new URL(raw);
  const [start = ""] = raw.split(/[?#]/);
  return username + password === "" ? start : `${origin}${pathname}`;
}
