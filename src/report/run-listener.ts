import type { Ending } from "../errors.ts";
import type { DeploymentId, RevisionId } from "../platform/ids.ts";

/** This run's revision, and the facts that its record keeps for another attempt of the run. */
export interface AnnouncedRevision {
  readonly deploymentId: DeploymentId;
  readonly revisionId: RevisionId;
  /** `tarballPath`: the platform's name for the archive of an upload. */
  readonly content: { readonly tarballPath?: string | undefined };
  /** False if it may be another run's revision. */
  readonly isCertain: boolean;
  /** The revisions that existed before it, newest first. */
  readonly before: { readonly listed: readonly { readonly id: RevisionId }[] };
}

export interface RunListener {
  /** Called when this run's revision is known. Queues requests, so that the run does not wait for GitHub. */
  onRevision(revision: AnnouncedRevision): void;
  onEnd(ending: Ending): Promise<void>;
}
