import type { ChangeReason } from "../change-results.ts";
import { code, id, input, type Message, text, withoutFullStop } from "../text/message.ts";
import { describeMismatch } from "./describe-deploy.ts";

/** Why a run with `only_if_changed` deploys, as a sentence. */
export function describeChangeReason(reason: ChangeReason): Message {
  return text`${code("only_if_changed: true")} does not skip this deploy: ${withoutFullStop(describe(reason))}.`;
}

/** As a part of a sentence, or as a sentence. */
function describe(reason: ChangeReason): Message {
  switch (reason.kind) {
    case "no_deployment":
      return text`no deployment was found`;
    case "no_token":
      return text`${input("github_token")} is empty, so the record of the last deploy can't be read`;
    case "records_unreadable":
      return text`the record of the last deploy could not be read on GitHub`;
    case "no_record":
      return text`GitHub has no record of an earlier deploy`;
    case "record_without_origin":
      return text`the newest record on GitHub does not name its control plane`;
    case "other_deployment":
      return text`the newest record on GitHub is of another deployment`;
    case "other_request":
      return text`the last deploy sent something else, or with another ${input("api_key")}`;
    case "no_success":
      return reason.state === undefined
        ? text`the newest record on GitHub has no status`
        : text`the newest record on GitHub is ${code(reason.state)}, not ${code("success")}`;
    case "live_not_shown":
      return text`the platform does not show which revision is live`;
    case "other_live":
      return text`revision ${id(reason.liveRevisionId)} is live, which is not the last one that was deployed`;
    case "not_deployed":
      return text`the live revision is ${code(reason.status.raw)}`;
    case "not_listed":
      return text`the list of revisions does not show which is the newest`;
    case "newer":
      return text`the newer revision ${id(reason.revisionId)} is ${code(reason.status.raw)}`;
    case "image_without_digest":
      return text`${code(reason.imageUri)} has no digest, so it may be another image now`;
    case "other_ref":
      return text`${code(reason.ref)} is not the ref of this run, so it may have moved`;
    case "commit":
      return describeMismatch(reason.mismatch).message;
    case "unreadable":
      return reason.error.text;
  }
}
