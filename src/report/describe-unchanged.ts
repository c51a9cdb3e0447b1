import type { DeployResult, LiveSince } from "../results.ts";
import { formatMinute } from "../text/format.ts";
import { code, id, type Message, text, url } from "../text/message.ts";
import type { RunResult } from "./result.ts";

/** Since when a revision is live without a change, as a part of a sentence. */
export function describeSince({ at, runUrl }: LiveSince): Message {
  const time = formatMinute(at);
  const since = time === undefined ? text`an earlier run` : text`${code(time)}`;
  return runUrl === undefined ? since : text`${since} (${url(runUrl)})`;
}

/** That nothing has changed, as a sentence. */
export function describeUnchanged(since: LiveSince): Message {
  return text`Revision ${id(since.revisionId)} is live, unchanged since ${describeSince(since)}.`;
}

/** `checked`: the result of the checks of a revision that is unchanged, as if this run had deployed it. */
export function unchangedResult(since: LiveSince, kind: DeployResult["kind"], checked: RunResult): RunResult {
  const unchanged = text`${describeUnchanged(since)} No changes were sent.`;
  if (kind === "deployed") return { ...checked, outcome: "unchanged", message: unchanged };
  const anyway = text`To deploy it again anyway, set ${code("only_if_changed: false")}.`;
  return { ...checked, details: [...(checked.details ?? []), unchanged, anyway] };
}
