import type { Ending } from "../../errors.ts";
import type { ChangeReason } from "../../results/change.ts";
import type { DeployResult, LiveSince } from "../../results/deploy.ts";
import { formatMinute } from "../../text/format.ts";
import { code, id, input, type Message, text, url, withoutFullStop } from "../../text/message.ts";
import { withDetails } from "../result.ts";

/** Since when a revision is live without a change, as a part of a sentence. */
export function describeSince({ at, runUrl }: LiveSince): Message {
  const time = formatMinute(at);
  const since = time === undefined ? text`an earlier run` : text`${code(time)}`;
  return runUrl === undefined ? since : text`${since} (${url(runUrl)})`;
}

/** That nothing has changed, as a sentence. `address`: where the revision is live. */
export function describeUnchanged(since: LiveSince, address?: string): Message {
  const at = address === undefined ? undefined : text` at ${url(address)}`;
  return text`Revision ${id(since.revisionId)} is live${at}, unchanged since ${describeSince(since)}.`;
}

/**
 * How a run ended that sent nothing. `result`, and `checked` for people: how the checks of the unchanged revision ended, as if
 * this run had deployed it.
 */
export function unchangedResult(since: LiveSince, result: DeployResult, checked: Ending): Ending {
  if (result.kind === "deployed") {
    const address = result.watched.kind === "live" ? result.watched.url : undefined;
    return {
      ...checked,
      outcome: "unchanged",
      message: text`${describeUnchanged(since, address)} No changes were sent.`,
    };
  }
  const unchanged = text`No changes were sent, because the revision is unchanged since ${describeSince(since)}. To deploy it again anyway, set ${code("only_if_changed: false")}.`;
  return withDetails(checked, unchanged);
}

/** Why a run with `only_if_changed` deploys, as a sentence. */
export function describeChangeReason(reason: ChangeReason): Message {
  return text`Deploying despite ${code("only_if_changed: true")}: ${withoutFullStop(describe(reason))}.`;
}

/** The reason as a part of a sentence, or as a sentence. */
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
    case "other_deployment":
      return text`the newest record on GitHub belongs to a different deployment`;
    case "other_request":
      return text`the last deploy sent something different, or used a different ${input("api_key")}`;
    case "no_success":
      return reason.state === undefined
        ? text`the newest record on GitHub has no status`
        : text`the newest record on GitHub is ${code(reason.state)}, not ${code("success")}`;
    case "success_of_other":
      return text`the newest record on GitHub was set to ${code("success")} by somebody else`;
    case "live_not_shown":
      return text`the platform does not report which revision is live`;
    case "other_live":
      return text`the live revision ${id(reason.liveRevisionId)} is not the one from the last deploy`;
    case "not_deployed":
      return text`the live revision is ${code(reason.status.raw)}`;
    case "not_listed":
      return text`the list of revisions does not show which is the newest`;
    case "newer":
      return text`the newer revision ${id(reason.revisionId)} is ${code(reason.status.raw)}`;
    case "image_without_digest":
      return text`${code(reason.imageUri)} has no digest, so it may be a different image now`;
    case "other_ref":
      return text`${code(reason.ref)} is not the ref of this run, so it may have moved`;
    case "commit":
      return reason.mismatch;
    case "unreadable":
      return reason.error.ending.message;
  }
}
