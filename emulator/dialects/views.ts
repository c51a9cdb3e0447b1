/** Deployments and revisions as responses show them. Dialects add to these views. */
import type { DeploymentRow, RevisionRow } from "../store/deployments.ts";
import { stepAt } from "../timeline.ts";

/** The facts in the view of a deployment that are not in its row. */
export interface DeploymentFacts {
  readonly workspaceId: string;
  readonly secretNames: readonly string[];
  /** The newest first. */
  readonly revisions: readonly RevisionRow[];
  /** The statuses in which a revision can be the active one. */
  readonly liveStatuses: readonly string[];
  /** The status of one that is being deleted. */
  readonly deletionStatus: string;
  /** The address of a live deployment. */
  readonly liveUrl: (deployment: DeploymentRow) => string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A revision at `now` (milliseconds since the epoch). */
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

/** A revision in any dialect. */
export interface RevisionView extends PlainRevisionView {
  /** The reason for a bad end. */
  readonly status_message?: string | null;
}

/** A deployment, with nothing but the names of its secrets. */
export function deploymentView(deployment: DeploymentRow, facts: DeploymentFacts) {
  const { revisions, now } = facts;
  const statusOf = (one: RevisionRow) => stepAt(one.timeline, now - one.created_at).status;
  // A superseded revision stays DEPLOYED: the newest of them is the live one.
  const active = revisions.find((revision) => facts.liveStatuses.includes(statusOf(revision)));
  return {
    id: deployment.id,
    tenant_id: facts.workspaceId,
    name: deployment.name,
    source: deployment.source,
    source_config: deployment.source_config,
    source_revision_config: deployment.source_revision_config,
    secrets: facts.secretNames.map((name) => ({ name })),
    status: deployment.gone_at === null ? "READY" : facts.deletionStatus,
    latest_revision_id: revisions[0]?.id ?? null,
    active_revision_id: active?.id ?? null,
    url: active === undefined ? null : facts.liveUrl(deployment),
    created_at: timestamp(deployment.created_at),
    updated_at: timestamp(deployment.updated_at),
  };
}

export type PlainDeploymentView = ReturnType<typeof deploymentView>;

/** A deployment in any dialect. */
export interface DeploymentView extends Omit<PlainDeploymentView, "secrets"> {
  /** A `value` is always masked. */
  readonly secrets: readonly { readonly name: string; readonly value?: string }[];
}
