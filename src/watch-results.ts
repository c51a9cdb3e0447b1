import type { ActionError, Place } from "./errors.ts";
import type { Revision } from "./platform/deployment.ts";
import type { LogType } from "./platform/revision-log.ts";
import type { Status } from "./platform/status.ts";
import type { Message } from "./text/message.ts";

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
   * log whose end was shown; `place`: the first one in the checkout that the log of a failed build names.
   */
  | {
      readonly kind: "ended";
      readonly revision: Revision;
      readonly shownLog?: LogType | undefined;
      readonly place?: Place | undefined;
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
      readonly failure: ActionError | undefined;
      readonly waitedMs: number;
    };

export type WatchResultOf<Kind extends WatchResult["kind"]> = Extract<WatchResult, { kind: Kind }>;

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

/** What a check of the deployed agent found out. */
export interface CheckResult {
  readonly kind: "health check" | "serving check" | "smoke test" | "comparison";
  /** Of a smoke test its own name, of a comparison what `compare_with` names, otherwise the path that was requested. */
  readonly name: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** What came, or why the check failed, as a part of a sentence. */
  readonly finding: Message;
  /** What to do next, after a failure. */
  readonly hint?: Message;
  /** Of a failed check. */
  readonly evidence?: Evidence;
  /** Whether a newer revision responded in place of this run's. */
  readonly isSuperseded?: boolean;
}

/** What a failed check sent, expected and received. */
interface Evidence {
  /** Such as `GET /ok`. */
  readonly request: Message;
  readonly expected: readonly Message[];
  readonly received: readonly Message[];
}
