import type { ActionError } from "./errors.ts";
import type { Revision } from "./platform/deployment.ts";

// What the steps of a deploy find out: data for whoever decides by it, and for `report/`, which makes sentences of it.

/** How the watch of this run's revision ended. Times are milliseconds. */
export type WatchResult =
  /** The revision is `DEPLOYED`, and nothing shows that another one is live. */
  | { readonly kind: "live"; readonly revision: Revision; readonly url: string | undefined }
  /** The revision was `DEPLOYED`, and a newer one is live now. */
  | { readonly kind: "replaced"; readonly revision: Revision; readonly liveRevisionId: string }
  /** The revision failed, was skipped for a newer one or was interrupted: `revision.status.kind` says which. */
  | { readonly kind: "ended"; readonly revision: Revision }
  /** The revision is `DEPLOYED`, but did not become live in time: another one is, or (undefined) none is shown. */
  | {
      readonly kind: "not_live";
      readonly revision: Revision;
      readonly live: { readonly id: string; readonly isOlder: boolean } | undefined;
      readonly waitedMs: number;
    }
  /** The deployment is being deleted. */
  | { readonly kind: "being_deleted"; readonly revision: Revision }
  /** The revision was pending when the time was up, and a newer one is live. */
  | { readonly kind: "overtaken"; readonly liveRevisionId: string; readonly waitedMs: number }
  /** The time was up. `revision`: as last read; `failure`: of the last poll. */
  | {
      readonly kind: "timed_out";
      readonly revision: Revision | undefined;
      readonly failure: ActionError | undefined;
      readonly waitedMs: number;
    };
