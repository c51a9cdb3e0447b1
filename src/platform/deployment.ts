import type * as v from "valibot";
import type { DeploymentSchema, RevisionSchema } from "./schemas.ts";
import { classifyStatus, type Status } from "./status.ts";

/** A deployment; a field that the platform does not show is undefined. */
export interface Deployment {
  readonly id: string;
  readonly name: string | undefined;
  readonly tenantId: string | undefined;
  readonly status: string | undefined;
  readonly createdAt: string | undefined;
  readonly url: string | undefined;
  readonly repoUrl: string | undefined;
  readonly source: string | undefined;
  readonly integrationId: string | undefined;
  readonly deploymentType: string | undefined;
  /** `null` if the platform says that there is none; undefined if it does not show the field. */
  readonly listenerId: string | null | undefined;
  readonly buildOnPush: boolean | undefined;
  readonly customUrl: string | undefined;
  readonly secretNames: readonly string[] | undefined;
  /** `null` and undefined as in `listenerId`. */
  readonly latestRevisionId: string | null | undefined;
  /** `null` and undefined as in `listenerId`. */
  readonly activeRevisionId: string | null | undefined;
}

/** What a revision deploys. */
export interface RevisionSource {
  readonly repoRef?: string | undefined;
  readonly appConfigPath?: string | undefined;
  readonly imageUri?: string | undefined;
  /** The platform's name for an uploaded archive. */
  readonly tarballPath?: string | undefined;
}

/** A revision; a field that the platform does not show is undefined. */
export interface Revision {
  readonly id: string;
  readonly status: Status;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** The reason for the status, in the platform's words. */
  readonly statusMessage: string | undefined;
  readonly commitSha: string | undefined;
  readonly source: RevisionSource | undefined;
}

export function isBeingDeleted({ status }: Deployment): boolean {
  return ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"].includes(status?.toUpperCase() ?? "");
}

/** The deployment in a response. Its URL is the custom one if no other is shown. */
export function toDeployment(wire: v.InferOutput<typeof DeploymentSchema>): Deployment {
  return {
    id: wire.id,
    name: wire.name ?? undefined,
    tenantId: wire.tenant_id ?? undefined,
    status: wire.status ?? undefined,
    createdAt: wire.created_at ?? undefined,
    url: httpUrl(wire.url) ?? httpUrl(wire.source_config?.custom_url),
    repoUrl: wire.source_config?.repo_url ?? undefined,
    source: wire.source ?? undefined,
    integrationId: wire.source_config?.integration_id ?? undefined,
    deploymentType: wire.source_config?.deployment_type ?? undefined,
    listenerId: wire.source_config?.listener_id,
    buildOnPush: wire.source_config?.build_on_push ?? undefined,
    customUrl: wire.source_config?.custom_url ?? undefined,
    secretNames: wire.secrets?.flatMap((name) => name || []),
    latestRevisionId: wire.latest_revision_id,
    activeRevisionId: wire.active_revision_id,
  };
}

export function toRevision(wire: v.InferOutput<typeof RevisionSchema>): Revision {
  const source = wire.source_revision_config;
  return {
    id: wire.id,
    status: classifyStatus(wire.status),
    createdAt: wire.created_at ?? undefined,
    updatedAt: wire.updated_at ?? undefined,
    statusMessage: wire.status_message ?? undefined,
    commitSha: source?.repo_commit_sha ?? undefined,
    source: source
      ? {
          repoRef: source.repo_ref ?? undefined,
          appConfigPath: source.app_config_path ?? source.langgraph_config_path ?? undefined,
          imageUri: source.image_uri ?? undefined,
          tarballPath: source.source_tarball_path ?? undefined,
        }
      : undefined,
  };
}

const plainUrl = /^https?:\/\/[^\s\p{C}\p{Default_Ignorable_Code_Point}]{1,2000}$/iu;

/**
 * The URL if it is http(s), without user info, query and fragment, which may be credentials. One with blanks or invisible
 * characters is dropped: a parser removes or encodes these, so people would open another address than the one they see.
 */
function httpUrl(text: string | null | undefined): string | undefined {
  if (!text || !plainUrl.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, origin, pathname } = new URL(text);
  const [start = ""] = text.split(/[?#]/);
  return username + password === "" ? start : `${origin}${pathname}`;
}

/** Whether two ids or names are equal, ignoring case: a server may write one differently than the user did. */
export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
