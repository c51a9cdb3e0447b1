import type { EpochMs } from "../clock.ts";
import type { RevisionList } from "../platform/control-plane.ts";
import type { DeploymentId, RevisionId } from "../platform/ids.ts";
import type { RevisionContent } from "../platform/revision.ts";

/** The revisions of a deployment, as they were read at one time. */
export interface SeenRevisions extends RevisionList {
  /** The id of the newest one, which may not be listed yet; undefined if the deployment shows none. */
  readonly latestId: RevisionId | undefined;
  /** The id of the revision that is live; undefined if none is. */
  readonly liveId: RevisionId | undefined;
}

/** What is known of this run's revision before the platform shows its id. */
export interface RevisionOrigin {
  readonly deploymentId: DeploymentId;
  /** The source that the revision deploys, as far as this run sends it. */
  readonly content: RevisionContent;
  /** The revisions before it. None of them is this run's. */
  readonly before: SeenRevisions;
  /** When the run's time to wait began: at the write's response or, for an earlier attempt's revision, when it was found. */
  readonly waitStartedAt: EpochMs;
  readonly isRollback?: boolean;
}

/** The revision that this run reports: one that it or an earlier attempt made, or that it found unchanged. */
export interface OwnRevision extends RevisionOrigin {
  readonly revisionId: RevisionId;
  /** Whether it surely is this run's. The response to a PATCH, for example, may name a revision that another run made. */
  readonly isCertain: boolean;
}
