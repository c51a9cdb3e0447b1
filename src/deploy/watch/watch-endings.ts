import type { Ending } from "../../ending.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { Status, StatusKind } from "../../platform/status.ts";
import type { NotLiveYet } from "./live-state.ts";

type EndKind = Exclude<StatusKind, "pending" | "deployed">;

const byKind: Readonly<Record<EndKind, { outcome: Ending["outcome"]; what: string; hint: string }>> = {
  failed: {
    outcome: "failed",
    what: "failed with status",
    hint: "Read the revision's build and server logs on the platform. Check app_config_path, secrets, and repo_ref or source_path.",
  },
  superseded: {
    outcome: "superseded",
    what: "was superseded by a newer revision and ended as",
    hint: "Nothing to do if the newer revision is the one you want. A concurrency group in the workflow keeps runs from overtaking each other.",
  },
  interrupted: {
    outcome: "interrupted",
    what: "was interrupted on the platform and ended as",
    hint: "Run this job again to deploy it.",
  },
};

/** A revision ended, but not as `DEPLOYED`. */
export function endedAs(kind: EndKind, { id, status }: Revision): Ending {
  const { outcome, what, hint } = byKind[kind];
  return { outcome, headline: `Revision ${id} ${what} ${status.raw}.`, hint };
}

/** The revision that counted as this run's turned out to deploy another source than this run sent. */
export function deploysAnother({ id }: Revision): Ending {
  return {
    outcome: "failed",
    headline: `The platform shows that revision ${id} deploys another source than this run sent.`,
    hint: "Check the deployment's revisions on the platform, and run this job again.",
  };
}

/** Ours is `DEPLOYED`, and the platform shows no other revision as live. */
export function deployed(revisionId: string, url: string | undefined): Ending {
  const where = url === undefined ? "" : ` at ${url}`;
  return { outcome: "deployed", headline: `Revision ${revisionId} is live${where}.` };
}

/** Ours was `DEPLOYED`, and a newer one is live. */
export function deployedBefore(revisionId: string, newerId: string): Ending {
  return {
    outcome: "deployed",
    headline: `Revision ${revisionId} was deployed. The newer revision ${newerId} is live now.`,
  };
}

/** A newer revision is live in place of ours, so the checks would have asked that one. */
export function notChecked(revisionId: string, newerId: string): Ending {
  return {
    outcome: "superseded",
    headline: `Revision ${revisionId} was deployed, but not checked: the newer revision ${newerId} is live now.`,
    hint: byKind.superseded.hint,
  };
}

/** A newer revision replaced ours while it was checked, so it is unknown which one the checks asked. */
export function checkedAnother(revisionId: string, newerId: string): Ending {
  return {
    outcome: "superseded",
    headline: `Revision ${revisionId} was deployed, but the newer revision ${newerId} became live during its checks.`,
    hint: byKind.superseded.hint,
  };
}

/** Ours was `DEPLOYED`, but its deployment goes away. */
export function beingDeleted(revisionId: string, deploymentId: string): Ending {
  return {
    outcome: "failed",
    headline: `Revision ${revisionId} is DEPLOYED, but deployment ${deploymentId} is being deleted.`,
    hint: "Check who deletes the deployment. Once it is gone, run this job again to create it anew.",
  };
}

/** Ours is `DEPLOYED`, and may still become live. */
export function describeWaiting(revisionId: string, live: NotLiveYet): string {
  return live.kind === "none"
    ? `Revision ${revisionId} is DEPLOYED, but the platform shows no live revision. Retrying.`
    : `Revision ${revisionId} is DEPLOYED, but ${live.id} is still live. Waiting for the switch.`;
}

/** Ours is `DEPLOYED`, but never became live. `waited`: the time as people read it, as in the functions below. */
export function neverLive(revisionId: string, live: NotLiveYet, waited: string): Ending {
  return {
    outcome: "failed",
    headline: `Revision ${revisionId} is DEPLOYED, but after ${waited} ${describeLive(live)}.`,
    hint: "Check the deployment on the platform. Raise timeout_seconds if it switches slowly.",
  };
}

function describeLive(live: NotLiveYet): string {
  if (live.kind === "none") return `no revision is live. Before this run, it was ${live.previousId}`;
  return live.kind === "older"
    ? `the older revision ${live.id} is still live`
    : `revision ${live.id} is live`;
}

/** A newer revision is live, and ours was not `DEPLOYED` in time. */
export function newerIsLive(revisionId: string, newerId: string, waited: string): Ending {
  return {
    outcome: "superseded",
    headline: `After ${waited} the newer revision ${newerId} is live; revision ${revisionId} was not deployed.`,
    hint: "Nothing to do if the newer revision is the one you want. Otherwise run this job again.",
  };
}

/** Ours did not end in time, or could not be seen to be live. `status`: as last seen; `failure`: of the last poll. */
export function timedOut(
  revisionId: string,
  status: Status | undefined,
  failure: string | undefined,
  waited: string,
): Ending {
  const state = failure === undefined ? "is still running" : "may still be running";
  return {
    outcome: "timed_out",
    headline: `After ${waited} revision ${revisionId} ${describeStatus(status, failure === undefined)}.`,
    ...(failure !== undefined && { details: [`The last poll failed: ${failure}`] }),
    hint: `Revision ${revisionId} ${state} on the platform. Raise timeout_seconds if it usually takes this long. Re-running this job continues to watch the same revision if the input environment is set. A stuck revision holds up later ones.`,
  };
}

function describeStatus(status: Status | undefined, isCurrent: boolean): string {
  if (status === undefined) return "was never seen";
  if (status.kind === "deployed") return "is DEPLOYED, but which revision is live could not be read";
  return isCurrent ? `is still ${status.raw}` : `was ${status.raw} when it was last seen`;
}
