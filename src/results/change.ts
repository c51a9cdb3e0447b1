import type { Failure } from "../errors.ts";
import type { Status } from "../platform/status.ts";
import type { Message } from "../text/message.ts";

/** Why a run with `only_if_changed` deploys: something changed, or it is unknown whether it did. */
export type ChangeReason =
  | {
      readonly kind:
        | "no_deployment"
        | "no_token"
        | "records_unreadable"
        | "no_record"
        | "other_deployment"
        | "other_request"
        | "success_of_other"
        | "live_not_shown"
        | "not_listed";
    }
  /** `state`: of the newest record; undefined if it has none. */
  | { readonly kind: "no_success"; readonly state: string | undefined }
  | { readonly kind: "other_live"; readonly liveRevisionId: string }
  | { readonly kind: "not_deployed"; readonly status: Status }
  /** A revision that is newer than the live one, and is pending or `DEPLOYED`. */
  | { readonly kind: "newer"; readonly revisionId: string; readonly status: Status }
  | { readonly kind: "image_without_digest"; readonly imageUri: string }
  | { readonly kind: "other_ref"; readonly ref: string }
  | { readonly kind: "commit"; readonly mismatch: Message }
  /** GitHub or the platform could not be read. */
  | { readonly kind: "unreadable"; readonly error: Failure };
