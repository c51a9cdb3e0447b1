/** What brings revisions through their statuses: a plan made in advance, or a runner that builds and starts them. */
import type { Config, DeploymentRow, RevisionRow } from "../store/deployments.ts";
import type { Timeline } from "../timeline.ts";

/** The source of a new revision, before its commit is known. */
export interface Source {
  readonly source: string;
  readonly repository: unknown;
  readonly config: Config;
}

/** A revision whose source is deployed again. */
export interface Redeployed {
  readonly revision: RevisionRow;
  readonly wasLive: boolean;
}

/** What is known of a revision beyond its row. */
export interface RevisionFacts {
  /** The commit that it deploys. */
  readonly commit: string | null;
  /** The values that its agent could show, as far as they are kept. */
  readonly secrets: readonly string[];
}

export interface RevisionExecutor {
  /** The commit that a new revision deploys; null if it is not known before the source is fetched. */
  commitOf(source: Source): string | null;
  /** The statuses of a new revision, as far as they are known when it is created. */
  plan(source: Source, redeployed?: Redeployed): Timeline;
  /** Stores what the executor needs for a new revision. Called in the transaction that creates it. */
  prepare(revision: RevisionRow, deployment: DeploymentRow, redeployed?: Redeployed): void;
  /** Called once a change of a deployment or of its revisions is stored. */
  changed(deploymentId: string): void;
  factsOf(revision: RevisionRow): RevisionFacts;
  /** The address of a live deployment. */
  liveUrl(deployment: DeploymentRow): string;
  /** Brings back what was live when the data file was used before. */
  start(): Promise<void>;
  /** Ends what the executor has started. */
  close(): Promise<void>;
}
