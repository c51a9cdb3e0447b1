import type { Ending } from "../errors.ts";

/** This run's revision, with what its record keeps for another attempt of the run. */
export interface RecordedRevision {
  readonly deploymentId: string;
  readonly revisionId: string;
  /** `tarballPath`: the platform's name for the archive of an upload. */
  readonly content: { readonly tarballPath?: string | undefined };
  /** Whether it surely is this run's. */
  readonly isCertain: boolean;
  /** The revisions from before it, newest first. */
  readonly before: { readonly listed: readonly { readonly id: string }[] };
}

/** Shows a run on GitHub. It gets two events, queues its requests, and delays nothing. */
export interface RunListener {
  /** This run's revision is known. */
  onRevision(revision: RecordedRevision): void;
  onEnd(ending: Ending): Promise<void>;
}
