import type { Failure, Place, Result } from "../errors.ts";
import type { HttpResponse } from "../http/request.ts";
import type { Revision } from "../platform/deployment.ts";
import type { LogType } from "../platform/logs.ts";
import type { Status } from "../platform/status.ts";
import type { ComparisonResult } from "./comparison.ts";

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
  /** Its end, if it was shown after a failed check. */
  readonly serverLog?: FailureLog | undefined;
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
  readonly finding: Finding;
}

/** A check by what users call it. */
export type CheckName = Pick<CheckResult, "kind" | "name">;

/** What a check saw. Times are milliseconds, and paths have no query. `secrets`: what its request holds, and a response may repeat. */
export type Finding =
  | ({ readonly kind: "unreachable"; readonly path: string } & UnreachableAgent)
  /** The last response. */
  | {
      readonly kind: "health";
      readonly response: Result<HttpResponse>;
      readonly timeoutMs: number;
      readonly secrets: readonly string[];
    }
  | { readonly kind: "serving"; readonly revisionId: string }
  /** A newer revision responded in place of this run's. */
  | { readonly kind: "superseded"; readonly revisionId: string; readonly newerId: string }
  /** `lastShown`: the last response that showed a revision, if that is not the last one. */
  | {
      readonly kind: "not_serving";
      readonly revisionId: string;
      readonly last: ShownRevision;
      readonly lastShown: ShownRevision | undefined;
      readonly timeoutMs: number;
    }
  | SmokeFinding
  | { readonly kind: "compared"; readonly result: ComparisonResult };

/** An agent that can't be requested. */
export interface UnreachableAgent {
  readonly why: "no_url" | "plain_http";
}

/** Which revision an agent server says it is; undefined if it does not say. */
export type ShownRevision = Result<{ readonly status: number; readonly revisionId: string | undefined }>;

/** What came of a smoke test's requests. */
export interface SmokeFinding {
  readonly kind: "smoke_test";
  /** `graph`: the one that the test runs; `hasHeaders`: whether the inputs set any, such as a key. */
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly graph: string | undefined;
    readonly hasHeaders: boolean;
  };
  /** How many of the responses passed, and how many must. */
  readonly count: { readonly passed: number; readonly of: number; readonly needed: number };
  /** What was wrong with the first response that failed; empty if none did. */
  readonly mismatches: readonly Mismatch[];
  readonly secrets: readonly string[];
}

/**
 * Whether the vendor's JavaScript server for local use could not interrupt a run that has no thread, which the platform can:
 * the agent has no error then.
 */
export function lacksCheckpointer({ received }: Mismatch): boolean {
  return received.kind === "text" && received.text.includes("No checkpointer set");
}

/** What a response should be, and what it is. */
export interface Mismatch {
  readonly expected: Expectation;
  readonly received: Received;
}

export type Expectation =
  | { readonly kind: "response" | "no_encoding" | "final_state" }
  /** Of a run. `interrupted`: whether it should wait for a person at its end. */
  | { readonly kind: "no_error"; readonly interrupted: boolean }
  | { readonly kind: "status"; readonly status: number | undefined }
  | { readonly kind: "interrupt"; readonly wanted: boolean }
  | { readonly kind: "contains" | "matches"; readonly value: string }
  /** `value`: JSON. */
  | { readonly kind: "json"; readonly pointer: string; readonly value: string };

export type Received =
  | { readonly kind: "no_response"; readonly error: Failure }
  | { readonly kind: "response"; readonly response: HttpResponse }
  /** The response, or what it has in place of what is expected; `isElsewhere`: it has nothing there. */
  | { readonly kind: "text"; readonly text: string; readonly isElsewhere?: true }
  /** A regular expression took longer than this, or too much memory. */
  | { readonly kind: "too_slow"; readonly limitMs: number };

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
