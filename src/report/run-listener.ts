import type { Ending } from "../errors.ts";

/** This run's revision, with what another attempt of the run recognizes it by. */
export interface OwnRevision {
  readonly deploymentId: string;
  readonly revisionId: string;
  /** `tarballPath`: the platform's name for the archive of an upload. */
  readonly content: { readonly tarballPath?: string | undefined };
  /**
   * The newest revision before this one, empty if there was none. Undefined if this one surely is the run's: the response to a
   * PATCH, for example, may name the one that another run made at the same time.
   */
  readonly follows?: string | undefined;
}

/** Shows a run on GitHub. It gets two events, queues its requests, and delays nothing. */
export interface RunListener {
  /** This run's revision is known. */
  onRevision(revision: OwnRevision): void;
  onEnd(ending: Ending): Promise<void>;
}
