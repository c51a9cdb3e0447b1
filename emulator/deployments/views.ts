/** How deployments and revisions are shown (platform-api, "Resources"; platform-field-notes, "Fields"). */
import { stepAt } from "../lifecycle.ts";
import type { DeploymentRow, RevisionRow } from "./store.ts";

/** What a view needs beyond the rows. */
export interface DeploymentParts {
  readonly workspaceId: string;
  readonly secretNames: readonly string[];
  /** The newest first. */
  readonly revisions: readonly RevisionRow[];
  /** The statuses in which a revision can be the live one. */
  readonly liveStatuses: readonly string[];
  /** Where a deployment without an address of its own is reached. */
  readonly liveUrl: (deployment: Pick<DeploymentRow, "id" | "name">) => string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function statusOf(revision: RevisionRow, now: number): string {
  return stepAt(revision.timeline, now - revision.created_at).status;
}

/** A revision as platform-api shows it at `now` (milliseconds). */
export function revisionView(revision: RevisionRow, now: number) {
  const step = stepAt(revision.timeline, now - revision.created_at);
  return {
    id: revision.id,
    status: step.status,
    created_at: timestamp(revision.created_at),
    updated_at: timestamp(revision.created_at + step.after),
    source: revision.source,
    source_revision_config: revision.source_revision_config,
  };
}

export type PlainRevisionView = ReturnType<typeof revisionView>;

/** A revision as one platform or the other shows it. */
export interface RevisionView extends PlainRevisionView {
  /** Why it ended badly. */
  readonly status_message?: string | null;
}

/** A deployment as platform-api shows it; of its secrets only the names. */
export function deploymentView(deployment: DeploymentRow, parts: DeploymentParts) {
  const { revisions, now } = parts;
  // A superseded revision stays DEPLOYED: the newest of them is the live one.
  const active = revisions.find((revision) => parts.liveStatuses.includes(statusOf(revision, now)));
  return {
    id: deployment.id,
    tenant_id: parts.workspaceId,
    name: deployment.name,
    source: deployment.source,
    source_config: deployment.source_config,
    source_revision_config: deployment.source_revision_config,
    secrets: parts.secretNames.map((name) => ({ name })),
    status: deployment.gone_at === null ? "READY" : "AWAITING_DELETE",
    latest_revision_id: revisions[0]?.id ?? null,
    active_revision_id: active?.id ?? null,
    url: active === undefined ? null : (customUrlOf(deployment) ?? parts.liveUrl(deployment)),
    created_at: timestamp(deployment.created_at),
    updated_at: timestamp(deployment.updated_at),
  };
}

export type PlainDeploymentView = ReturnType<typeof deploymentView>;

/** A deployment as one platform or the other shows it. */
export interface DeploymentView extends Omit<PlainDeploymentView, "secrets"> {
  /** A `value` never tells anything. */
  readonly secrets: readonly { readonly name: string; readonly value?: string }[];
}

function customUrlOf({ source_config: { custom_url: url } }: DeploymentRow): string | undefined {
  return typeof url === "string" ? url : undefined;
}
