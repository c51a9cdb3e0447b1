import type { CheckResult } from "../checks/check.ts";
import type { Failure, Place } from "../errors.ts";
import type { Revision } from "../platform/deployment.ts";
import type { LogType } from "../platform/logs.ts";
import type { Status } from "../platform/status.ts";

/** Why a log says that a build or deploy failed. */
export type LogCause =
  | { readonly kind: "missing_variable"; readonly variable: string }
  | { readonly kind: "syntax_error" };

/** How the watch of this run's revision ended. Times are milliseconds. */
export type WatchResult =
  /** The revision is `DEPLOYED`, and nothing shows that another one is live. */
  | {
      readonly kind: "live";
      readonly revision: Revision;
      readonly url: string | undefined;
      /** The repository of the deployment, if the platform shows it. */
      readonly repoUrl: string | undefined;
    }
  /** The revision was `DEPLOYED`, and a newer one is live now. */
  | {
      readonly kind: "replaced";
      readonly revision: Revision;
      readonly liveRevisionId: string;
      readonly repoUrl: string | undefined;
    }
  /**
   * The revision failed, was skipped for a newer one or was interrupted: `revision.status.kind` says which. `shownLog`: the
   * log whose end was shown; `cause`: what it gives as the reason; `place`: the first one in the checkout that the log of a
   * failed build names; `builtFrom`: what this run had built.
   */
  | {
      readonly kind: "ended";
      readonly revision: Revision;
      readonly shownLog?: LogType | undefined;
      readonly cause?: LogCause | undefined;
      readonly place?: Place | undefined;
      readonly builtFrom?: "ref" | "upload" | "image" | undefined;
    }
  /** The platform shows that the revision existed before, or deploys another source than this run sent. */
  | { readonly kind: "existed_before" | "other_source"; readonly revision: Revision }
  /** The revision is `DEPLOYED`, but did not become live in time, or another one that may be this run's failed. */
  | {
      readonly kind: "not_live";
      readonly revision: Revision;
      readonly live: NotLiveYet;
      readonly waitedMs: number;
    }
  /** The deployment is being deleted. */
  | { readonly kind: "being_deleted"; readonly revision: Revision; readonly deploymentId: string }
  /** The revision was pending when the time was up, and a newer one is live. */
  | {
      readonly kind: "overtaken";
      readonly revision: Revision;
      readonly liveRevisionId: string;
      readonly waitedMs: number;
    }
  /** The time was up. `revision`: as last read; `failure`: of the last poll. */
  | {
      readonly kind: "timed_out";
      readonly revisionId: string;
      readonly revision: Revision | undefined;
      readonly failure: Failure | undefined;
      readonly waitedMs: number;
    };

export type WatchResultOf<Kind extends WatchResult["kind"]> = Extract<WatchResult, { kind: Kind }>;

/** Whether the build or deploy of the revision failed. */
export function hasFailed(watched: WatchResult): watched is WatchResultOf<"ended"> {
  return watched.kind === "ended" && watched.revision.status.kind === "failed";
}

/** Why the run is not done while its revision is `DEPLOYED`. */
export type NotLiveYet =
  | { readonly kind: "older"; readonly id: string }
  /** Which of the two is newer could not be read. */
  | { readonly kind: "unknown"; readonly id: string }
  /** Another revision may be this run's, and is not `DEPLOYED`. */
  | { readonly kind: "undecided"; readonly id: string; readonly status: Status }
  /** None is live any more. `previousId`: the one that was live before this run. */
  | { readonly kind: "none"; readonly previousId: string };

/** What came of `on_cancel: interrupt`. */
export type InterruptResult =
  | { readonly kind: "interrupted" }
  | { readonly kind: "unsupported" | "rejected" | "unconfirmed"; readonly error: Error };

/** What the checks of a live revision found out. */
export interface ChecksResult {
  /** In order. */
  readonly results: readonly CheckResult[];
  /**
   * What speaks against the revision after the checks; undefined if nothing does, nothing was checked, or that could not be
   * read, which is a warning.
   */
  readonly afterwards?:
    | { readonly kind: "replaced"; readonly liveRevisionId: string }
    | { readonly kind: "being_deleted"; readonly deploymentId: string }
    | { readonly kind: "not_live"; readonly live: NotLiveYet; readonly waitedMs: number }
    | undefined;
}

/**
 * The end of the log of a failed build or deploy, oldest line first. It has more lines than are shown, because one before these
 * may hold the start of a secret that ends in them.
 */
export interface FailureLog {
  readonly type: LogType;
  readonly lines: readonly LogLine[];
}

/** A line of a log of the platform. */
export interface LogLine {
  /**
   * Time and level before the first line of an entry, otherwise empty. A secret of several lines goes on after it, so it is no
   * part of the text.
   */
  readonly label: string;
  readonly text: string;
}
