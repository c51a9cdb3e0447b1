/** How deployments and revisions are shown (platform-api, "Resources"; platform-field-notes, "Fields"). */
import { stepAt } from "../lifecycle.ts";
import type { DeploymentRow, RevisionRow } from "./store.ts";

/** What a view needs beyond the rows. */
export interface DeploymentParts {
  readonly workspaceId: string;
  readonly secretNames: readonly string[];
  /** The newest first. */
  readonly revisions: readonly RevisionRow[];
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
  const active = revisions.find((revision) => statusOf(revision, now) === "DEPLOYED");
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
    url: active === undefined ? null : urlOf(deployment),
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

function urlOf({ id, name, source_config: { custom_url: customUrl } }: DeploymentRow): string {
  if (typeof customUrl === "string") return customUrl;
  const label = name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-");
  // RFC 2606 keeps .example free: nobody is ever sent to somebody's real host.
  return `https://${label}-${id.slice(0, 8)}.deployments.example`;
}
