import type { Ending, Outcome } from "../../errors.ts";
import { failedStage, type StatusKind } from "../../platform/status.ts";
import type { RedeployResult } from "../../results/rollback.ts";
import type { NotLiveYet, WatchResultOf } from "../../results/watch.ts";
import {
  below,
  code,
  duration,
  id,
  input,
  joined,
  listed,
  type Message,
  quoteSentence,
  text,
  url,
  word,
} from "../../text/message.ts";

/** How the watch of a revision ended, for people. */
export function describeWatch(watched: RedeployResult): Ending {
  switch (watched.kind) {
    case "live":
      return { outcome: "deployed", message: describeLive(watched) };
    case "replaced":
      return {
        outcome: "deployed",
        message: text`Revision ${id(watched.revision.id)} was deployed. The newer revision ${id(watched.liveRevisionId)} is live now.`,
        special: "replaced",
      };
    case "ended":
      return describeEnd(watched);
    case "existed_before":
      return {
        outcome: "failed",
        message: text`The platform named revision ${id(watched.revision.id)} as this run's, but that revision existed before the run.`,
        hint: notOursHint,
      };
    case "other_source":
      return {
        outcome: "failed",
        message: text`The platform reports a different source for revision ${id(watched.revision.id)} from the one that this run sent.`,
        hint: notOursHint,
      };
    case "other_commit":
      return describeOtherCommit(watched);
    case "not_live":
      return {
        outcome: "failed",
        message: text`Revision ${id(watched.revision.id)} is ${code("DEPLOYED")}, but after ${duration(watched.waitedMs)}, ${describeOther(watched.live)}.`,
        hint: watched.live.kind === "undecided" ? undecidedHint : notLiveHint,
      };
    case "being_deleted":
      return describeBeingDeleted(watched.revision.id, watched.deploymentId);
    case "overtaken":
      return {
        outcome: "superseded",
        message: text`After ${duration(watched.waitedMs)}, the newer revision ${id(watched.liveRevisionId)} is live. Revision ${id(watched.revision.id)} was not deployed.`,
        hint: text`If the newer revision is the one you want, there is nothing to do. Otherwise, run this job again.`,
      };
    case "timed_out":
      return describeTimeout(watched);
  }
}

const notLiveHint = text`Check the deployment on the platform. Raise ${input("timeout_seconds")} if it switches slowly.`;

const undecidedHint = text`The platform does not report what the deployment's revisions deploy. Check them on the platform, and run this job again. To keep runs apart, use a concurrency group in the workflow.`;
const notOursHint = text`Check the deployment's revisions on the platform, and run this job again.`;

export const supersededHint = text`If the newer revision is the one you want, there is nothing to do. To keep runs from overtaking each other, use a concurrency group in the workflow.`;

/** The revision is `DEPLOYED`, but its deployment is being deleted. */
export function describeBeingDeleted(revisionId: string, deploymentId: string): Ending {
  return {
    outcome: "failed",
    message: text`Revision ${id(revisionId)} is ${code("DEPLOYED")}, but deployment ${code(deploymentId)} is being deleted.`,
    hint: text`Find out who is deleting the deployment. Once it is deleted, run this job again to create a new one.`,
    special: "being_deleted",
  };
}

/** For the log: the revision is `DEPLOYED`, and may still become live. */
export function describeWaiting(revisionId: string, live: NotLiveYet): Message {
  const deployed = text`Revision ${id(revisionId)} is ${code("DEPLOYED")}`;
  if (live.kind === "none") return text`${deployed}, but the platform reports no live revision. Retrying.`;
  return live.kind === "undecided"
    ? text`${deployed}, but ${describeOther(live)}. Waiting for it.`
    : text`${deployed}, but ${id(live.id)} is still live. Waiting for the switch.`;
}

function describeLive({ revision, url: address }: WatchResultOf<"live">): Message {
  return address === undefined
    ? text`Revision ${id(revision.id)} is live.`
    : text`Revision ${id(revision.id)} is live at ${url(address)}.`;
}

type EndKind = Exclude<StatusKind, "pending" | "deployed">;

const ends: Readonly<Record<EndKind, { outcome: Outcome; what: Message; hint: Message }>> = {
  failed: {
    outcome: "failed",
    what: text`failed with status`,
    hint: text`The revision's build and server logs are on the platform.`,
  },
  superseded: {
    outcome: "superseded",
    what: text`was superseded by a newer revision and ended as`,
    hint: supersededHint,
  },
  interrupted: {
    outcome: "interrupted",
    what: text`was interrupted on the platform and ended as`,
    hint: text`Run this job again to deploy it.`,
  },
};

/** The inputs that a failed build or deploy usually comes from. */
const usualInputs = {
  ref: listed([input("app_config_path"), input("repo_ref"), input("secrets")]),
  upload: listed([input("app_config_path"), input("source_path"), input("secrets")]),
  image: listed([input("image_uri"), input("secrets")]),
} as const;

function describeEnd(ended: WatchResultOf<"ended">): Ending {
  const { revision, place } = ended;
  const { id: revisionId, status, statusMessage = "" } = revision;
  const kind = status.kind === "superseded" || status.kind === "interrupted" ? status.kind : "failed";
  const { outcome, what, hint } = ends[kind];
  const message = text`Revision ${id(revisionId)} ${what} ${code(status.raw)}.`;
  if (kind !== "failed") return { outcome, message, hint };
  return {
    outcome,
    failure: /^(BUILD|DEPLOY)_FAILED$/i.test(status.raw)
      ? text`${code(failedStage(status))} failed`
      : undefined,
    place,
    message,
    ...(statusMessage.trim() !== "" && {
      details: [text`The platform says: ${quoteSentence(statusMessage, 1000)}.`],
    }),
    hint: failureHint(ended),
  };
}

/** What to do about a failed build or deploy. */
function failureHint(ended: WatchResultOf<"ended">): Message {
  const { shownLog, cause, place, builtFrom = "ref" } = ended;
  const fix = text`Fix the error in the log`;
  const inputs = usualInputs[builtFrom];
  if (shownLog === undefined) return text`${fix}. ${ends.failed.hint} Check ${inputs}.`;
  const end = text`The end of the ${word(shownLog)} log is ${below}.`;
  const add =
    cause?.kind === "missing_variable"
      ? text`If ${code(cause.variable)} is missing, add it to ${input("secrets")}.`
      : undefined;
  if (place?.line !== undefined) {
    const located = text`Fix the error at ${code(place.path)}, line ${place.line}, which the log names.`;
    return joined([add, located, end]);
  }
  if (place !== undefined) {
    const unlocated = text`Fix the syntax error in ${code(place.path)}. An editor shows its line.`;
    return joined([unlocated, end]);
  }
  if (cause?.kind === "syntax_error") return joined([text`Fix the syntax error that the log shows.`, end]);
  // A server that does not start often lacks a variable.
  const addAny =
    shownLog === "deploy" ? text`If a variable is missing, add it to ${input("secrets")}.` : undefined;
  return joined([text`${fix}.`, add ?? addAny, end, text`If that does not help, check ${inputs}.`]);
}

function describeOtherCommit(watched: Extract<RedeployResult, { kind: "other_commit" }>): Ending {
  const { revision, earlierId, built, wanted } = watched;
  return {
    outcome: "failed",
    message: text`Revision ${id(revision.id)} deploys the source of revision ${id(earlierId)}, but was built from commit ${code(built, 100)} instead of ${code(wanted, 100)}.`,
    hint: text`The branch or tag has moved since. Deploy a tag or an image of the working version.`,
  };
}

function describeOther(live: NotLiveYet): Message {
  if (live.kind === "none") {
    return text`no revision is live. Before this run, ${id(live.previousId)} was live`;
  }
  if (live.kind === "undecided") {
    return text`revision ${id(live.id)}, which may be this run's, is ${code(live.status.raw)}`;
  }
  return live.kind === "older"
    ? text`the older revision ${id(live.id)} is still live`
    : text`revision ${id(live.id)} is live`;
}

function describeTimeout(watched: WatchResultOf<"timed_out">): Ending {
  const { revisionId, failure } = watched;
  const state = failure === undefined ? text`is still running` : text`may still be running`;
  return {
    outcome: "timed_out",
    message: text`After ${duration(watched.waitedMs)}, revision ${id(revisionId)} ${describeLastStatus(watched)}.`,
    details: [
      text`It ${state} on the platform, and may go live without the checks and the rollback of this step.`,
      ...(failure === undefined ? [] : [text`The last poll failed: ${failure.ending.message}`]),
    ],
    hint: text`If it usually takes this long, raise ${input("timeout_seconds")}. A stuck revision blocks later deployments.`,
  };
}

function describeLastStatus({ revision, failure }: WatchResultOf<"timed_out">): Message {
  if (revision === undefined) return text`was still not visible`;
  const { raw, kind } = revision.status;
  if (kind === "deployed") {
    return text`is ${code("DEPLOYED")}, but which revision is live could not be read`;
  }
  return failure === undefined ? text`is still ${code(raw)}` : text`was ${code(raw)} when it was last seen`;
}
