import type { Revision } from "../platform/deployment.ts";
import type { StatusKind } from "../platform/status.ts";
import type { Ending } from "../progress/ending.ts";

type EndKind = Exclude<StatusKind, "pending" | "deployed">;

const byKind: Readonly<Record<EndKind, { outcome: Ending["outcome"]; what: string; hint: string }>> = {
  failed: {
    outcome: "failed",
    what: "failed with status",
    hint: "Read the revision's build and server logs on the platform; check app_config_path, repo_ref and secrets.",
  },
  superseded: {
    outcome: "superseded",
    what: "was passed over for a newer one and ended as",
    hint: "Nothing to do if the newer revision is meant; a concurrency group in the workflow keeps runs from overtaking each other.",
  },
  interrupted: {
    outcome: "interrupted",
    what: "was stopped on the platform and ended as",
    hint: "Someone interrupted it there; run this job again to deploy it.",
  },
};

/** The ending of a revision that ended by itself in something else than `DEPLOYED`. */
export function ofStatus(kind: EndKind, revision: Revision): Ending {
  const { outcome, what, hint } = byKind[kind];
  return { outcome, message: `Revision ${revision.id} ${what} ${revision.status}.`, hint };
}

/** Ours was `DEPLOYED`, and no other is shown as live (contract, 3.1). `url`: where it is reached, if that is shown. */
export function deployed(revisionId: string, url: string | undefined): Ending {
  return {
    outcome: "deployed",
    message: `Revision ${revisionId} is live${url === undefined ? "" : ` at ${url}`}.`,
  };
}

/** Ours was `DEPLOYED`, but what is live is a newer one, which counts as success (contract, 3.1). */
export function deployedBefore(revisionId: string, newerId: string): Ending {
  return {
    outcome: "deployed",
    message: `Revision ${revisionId} was deployed; the newer revision ${newerId} is live by now.`,
  };
}

/** The revision that is live although this run's is `DEPLOYED`. */
export interface OtherLive {
  readonly id: string;
  /** False where it can't be told which of the two is older. */
  readonly older: boolean;
}

/** `waited`: the time as people say it, in this and the following ones. */
export function anotherStayedLive(revisionId: string, live: OtherLive, waited: string): Ending {
  const which = live.older ? "still the older revision" : "revision";
  return {
    outcome: "failed",
    message: `Revision ${revisionId} is DEPLOYED, but after ${waited} the live one is ${which} ${live.id}.`,
    hint: "Look at the deployment on the platform; raise timeout_seconds if it switches over slowly.",
  };
}

/** A newer one is live, and ours hadn't been `DEPLOYED` when the time was over. */
export function newerIsLive(revisionId: string, liveId: string, waited: string): Ending {
  return {
    outcome: "superseded",
    message: `After ${waited} the newer revision ${liveId} is the live one; revision ${revisionId} didn't get to be.`,
    hint: "Nothing to do if the newer one is meant; otherwise run this job again.",
  };
}

/** What was seen last of a revision: its status, and why the last look brought nothing, if it didn't. */
export interface LastSeen {
  readonly status: string | undefined;
  readonly lastMiss: string | undefined;
}

/** Ours hadn't ended when the time was over, or couldn't be seen to be the live one. */
export function timedOut(revisionId: string, { status, lastMiss }: LastSeen, waited: string): Ending {
  const why = lastMiss === undefined ? "" : ` The last look failed: ${lastMiss}`;
  const goesOn = lastMiss === undefined ? "It goes on" : "It may have ended by now, or go on";
  return {
    outcome: "timed_out",
    message: `After ${waited} revision ${revisionId} ${describeLastStatus(status, lastMiss === undefined)}.${why}`,
    hint: `${goesOn} by itself on the platform: look at it there, and raise timeout_seconds if it usually takes this long. Where environment is set, this job run again watches the same revision. A stuck revision holds up later ones.`,
  };
}

function describeLastStatus(status: string | undefined, isSeenNow: boolean): string {
  if (status === undefined) return "was never seen";
  if (status === "DEPLOYED") return "is DEPLOYED, but it couldn't be read whether it is the live one";
  return isSeenNow ? `is still ${status}` : `was ${status} when it was last seen`;
}
