import type * as v from "valibot";
import type { DeploymentSchema, RevisionSchema } from "./schemas.ts";

/** What the action knows of a deployment; what the platform doesn't show is undefined. */
export interface Deployment {
  readonly id: string;
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly createdAt: string | undefined;
  readonly url: string | undefined;
  readonly repoUrl: string | undefined;
  readonly source: string | undefined;
  readonly integrationId: string | undefined;
  readonly deploymentType: string | undefined;
  readonly latestRevisionId: string | undefined;
  /** `null` where the platform shows that none is active, undefined where it doesn't show the field. */
  readonly activeRevisionId: string | null | undefined;
}

/** What a revision deploys. */
export interface RevisionSource {
  readonly repoRef?: string | undefined;
  readonly appConfigPath?: string | undefined;
  readonly imageUri?: string | undefined;
}

/** The same of a revision. */
export interface Revision {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** Why it is as it is, in the platform's words. */
  readonly statusMessage: string | undefined;
  /** The commit that was built. */
  readonly commitSha: string | undefined;
  /** Undefined where the platform doesn't show it. */
  readonly source: RevisionSource | undefined;
}

/** Whether a deployment is on its way out (platform-field-notes, Fields). */
export function isBeingDeleted({ status }: Deployment): boolean {
  return status === "AWAITING_DELETE";
}

/** A deployment as an answer shows it. Its address is the custom one only where no other is shown. */
export function toDeployment(wire: v.InferOutput<typeof DeploymentSchema>): Deployment {
  return {
    id: wire.id,
    name: wire.name ?? undefined,
    status: wire.status ?? undefined,
    createdAt: wire.created_at ?? undefined,
    url: httpUrl(wire.url) ?? httpUrl(wire.source_config?.custom_url),
    repoUrl: wire.source_config?.repo_url ?? undefined,
    source: wire.source ?? undefined,
    integrationId: wire.source_config?.integration_id ?? undefined,
    deploymentType: wire.source_config?.deployment_type ?? undefined,
    latestRevisionId: wire.latest_revision_id ?? undefined,
    activeRevisionId: wire.active_revision_id,
  };
}

/** A revision as an answer shows it. */
export function toRevision(wire: v.InferOutput<typeof RevisionSchema>): Revision {
  const source = wire.source_revision_config;
  return {
    id: wire.id,
    status: wire.status,
    createdAt: wire.created_at ?? undefined,
    updatedAt: wire.updated_at ?? undefined,
    statusMessage: wire.status_message ?? undefined,
    commitSha: source?.repo_commit_sha ?? undefined,
    source: source
      ? {
          repoRef: source.repo_ref ?? undefined,
          appConfigPath: source.app_config_path ?? undefined,
          imageUri: source.image_uri ?? undefined,
        }
      : undefined,
  };
}

/**
 * The address if it is http(s), the only kind that is passed on as a link (contract, 3). Blanks and what can't be seen
 * have no place in one: a parser drops or encodes them, so the address would be another than the one that is shown.
 */
function httpUrl(text: string | null | undefined): string | undefined {
  return text &&
    /^https?:\/\/[^\s\p{C}\p{Default_Ignorable_Code_Point}]{1,2000}$/iu.test(text) &&
    URL.canParse(text)
    ? text
    : undefined;
}
