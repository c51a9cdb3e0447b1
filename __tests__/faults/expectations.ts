/**
 * How a run has to end if a fault affects one of its requests. Each expectation is named after what the run needs the
 * request for, and follows from docs/specification.md alone: nothing here looks at the source.
 */
import { type Category, type Fault, hangs, isOfConnection } from "./faults.ts";

export interface Case {
  readonly fault: Fault;
  /** How many times in a row; `Infinity`: always. */
  readonly times: number;
  /** Whether the request took effect anyway. */
  readonly applied: boolean;
  /** How the run ends without a fault. */
  readonly usual: string;
}

/** How the run has to end. Several endings only if the specification leaves it open. */
export type Expectation = (given: Case) => string | readonly string[];

/** Attempts in all of reads, deletions and writes that certainly had no effect (docs/specification.md#retries). */
const attempts = 5;

function isOf({ fault }: Case, ...categories: Category[]): boolean {
  return categories.includes(fault.category);
}

const isEndless = ({ times }: Case) => times === Number.POSITIVE_INFINITY;
const failed = "failed";

/** docs/specification.md#retries */
function isRetriedAsRead(given: Case): boolean {
  const isTransient = isOf(given, "unsent", "lost", "server error", "timeout");
  return (isTransient || isOf(given, "throttled", "throttled, unclear")) && given.times < attempts;
}

/** docs/specification.md#unconfirmed-writes */
function isUnconfirmed(given: Case): boolean {
  return isOf(given, "lost", "server error", "unimplemented", "oversized", "invalid", "redirect");
}

/** Whether there is no list (docs/specification.md#finding-the-deployment). */
function lacksList(given: Case): boolean {
  return isOf(given, "missing", "unsupported", "unimplemented");
}

export const read: Expectation = (given) => (isRetriedAsRead(given) ? given.usual : failed);

/** Without a list, a name counts as not found. */
export const findToCreate: Expectation = (given) => (lacksList(given) ? given.usual : read(given));

/** The create is answered with 409 then, and the name looked up again: a list that fails again leaves nothing to update. */
export const findToUpdate: Expectation = (given) => {
  if (!lacksList(given)) return read(given);
  return given.times === 1 ? given.usual : failed;
};

/** What the list showed may be gone when it is read. The name is taken then, and looked up again. */
export const locate: Expectation = (given) => {
  if (!isOf(given, "missing")) return read(given);
  return isEndless(given) ? failed : given.usual;
};

/** A preview that is not found by its record is found by its name. */
export const readRecorded: Expectation = (given) =>
  isOf(given, "missing") && given.times === 1 ? given.usual : read(given);

/** A sweep keeps a preview that is not found, but listed. */
export const orKept =
  (otherwise: Expectation): Expectation =>
  (given) =>
    isOf(given, "missing") ? given.usual : otherwise(given);

/** A write is retried if it certainly had no effect. Otherwise its effect is searched for. */
export const update: Expectation = (given) => {
  if (isUnconfirmed(given)) return given.applied ? given.usual : failed;
  return isRetriedAsWrite(given) ? given.usual : failed;
};

function isRetriedAsWrite(given: Case): boolean {
  return isOf(given, "unsent", "throttled", "throttled, unclear") && given.times < attempts;
}

/**
 * If the platform can't redeploy, that surely had no effect, and the branch of these runs is not deployed by an update. A
 * revision that appears although it said so is not searched for.
 */
export const redeployment: Expectation = (given) => (isOf(given, "unimplemented") ? failed : update(given));

/**
 * An archive is sent again to another address, four times in all, unless the failure is final. A success is believed; if
 * nothing was stored, the update is refused.
 */
export const upload: Expectation = (given) => {
  if (isOf(given, "invalid")) return given.applied ? given.usual : failed;
  const isRenewable = isOf(given, "forbidden") || given.fault.name === "400";
  const isTransient = isOf(given, "unsent", "lost", "server error", "unimplemented", "timeout");
  const isRetried = isTransient || isRenewable || isOf(given, "throttled", "throttled, unclear");
  return isRetried && given.times < 4 ? given.usual : failed;
};

/** No revision proves to be this run's if the platform does not show what revisions deploy. */
export const updateWithoutProof: Expectation = (given) => (isUnconfirmed(given) ? failed : update(given));

/** A create that is answered with 409 is sent again once the name is not found. */
export const create: Expectation = (given) =>
  isOf(given, "conflict") && !isEndless(given) ? given.usual : update(given);

/** A deletion may be repeated, and what is not found counts as gone if the list does not have it. */
export const remove: Expectation = (given) => {
  if (isOf(given, "missing")) return given.applied ? given.usual : failed;
  if (isRetriedAsRead(given)) return given.usual;
  return isUnconfirmed(given) && given.applied ? given.usual : failed;
};

/** A run that ends badly after its write checks again whether the preview is wanted, and deletes it then. */
export const removeAgain: Expectation = (given) => (given.times === 1 ? given.usual : remove(given));

/** Tolerated until the deadline, at which there is one last attempt; 401 and 403 end the run. */
export const poll: Expectation = (given) => {
  if (isOf(given, "forbidden")) return failed;
  if (isOf(given, "throttled, endless")) return given.times === 1 ? given.usual : "timed_out";
  if (!isEndless(given)) return given.usual;
  // In the first minute after the write a 404 means "not yet". What hangs is given less than that here.
  return isOf(given, "missing") ? failed : "timed_out";
};

/** The revision that the response of the update named. If it can't be read once, watching it shows everything else. */
export const named: Expectation = (given) => (given.times === 1 ? given.usual : poll(given));

/** Another revision is live. As long as nothing shows that it is newer, the run waits for its own. */
export const newer: Expectation = (given) =>
  isOf(given, "forbidden") || isEndless(given) ? failed : given.usual;

/** The effect of a write is searched for up to a minute, at whose end there is one last attempt. */
export const search: Expectation = (given) => {
  if (isOf(given, "forbidden")) return failed;
  if (isOf(given, "missing") && given.usual === "deleted") return given.usual;
  if (isOf(given, "throttled, endless")) return given.times === 1 ? given.usual : failed;
  return isEndless(given) ? failed : given.usual;
};

export const searchList: Expectation = (given) => (lacksList(given) ? failed : search(given));

/** The status alone decides: a 2xx is healthy, whatever follows it. */
export const health: Expectation = (given) => {
  const isSuccess = isOf(given, "invalid") || ["trickle", "cut", "flood"].includes(given.fault.wire.kind);
  return isEndless(given) && !isSuccess ? failed : given.usual;
};

/** Repeated until the end of the time, whatever the response is. */
export const repeatedCheck: Expectation = (given) => (isEndless(given) ? failed : given.usual);

/** Sent once, and only one response is right. */
export const sentOnce: Expectation = () => failed;

/** Neither a failure of GitHub nor one of what only helps, or follows a failure, changes the outcome. */
export const optional: Expectation = ({ usual }) => usual;

/** The same among polls of the revision, which can't get through either as long as there is no connection. */
export const optionalWhilePolling: Expectation = (given) =>
  isOfConnection(given.fault) && isEndless(given) ? "timed_out" : given.usual;

/** Whether a read of GitHub is retried: at most three attempts. A request that hung has used up its time. */
function isRetriedByGitHub(given: Case): boolean {
  if (isOf(given, "throttled")) return given.times === 1;
  return isTransientForGitHub(given) && given.times < 3;
}

function isTransientForGitHub(given: Case): boolean {
  return isOf(given, "unsent", "lost", "server error", "unimplemented", "timeout") && !hangs(given.fault);
}

export const gitHubRead: Expectation = (given) => (isRetriedByGitHub(given) ? given.usual : failed);

/** GitHub's own word that the configuration file does not exist is believed. */
export const configurationFile: Expectation = (given) => (isGitHub404(given) ? failed : given.usual);

function isGitHub404({ fault }: Case): boolean {
  return fault.name.startsWith("404");
}

/** A missing file stops a deployment only if GitHub shows that the ref exists and the token may read the repository. */
export const refOfMissingFile: Expectation = (given) =>
  isGitHub404(given) || isRetriedByGitHub(given) ? given.usual : "deployed";

export const rootOfMissingFile: Expectation = (given) =>
  isRetriedByGitHub(given) ? given.usual : "deployed";

/** It is asked for after the write and at the end. A preview stays if GitHub does not say that it is unwanted. */
export const pullRequestAfterWrite: Expectation = (given) => {
  if (isEndless(given) || isOf(given, "throttled, endless")) return "deployed";
  // A fault of several connections in a row, or one that lasts for a while, may spare one of the two requests.
  const mayMissOne = isOfConnection(given.fault) || isOf(given, "throttled");
  if (mayMissOne && given.times > 1) return [given.usual, "deployed"];
  return given.times === 1 || isTransientForGitHub(given) ? given.usual : "deployed";
};

/** The timeout of one request covers the whole report. */
export const usageReport: Expectation = (given) => (hangs(given.fault) ? failed : read(given));

/** An export that has begun is not requested again. */
export const usageExport: Expectation = (given) =>
  given.fault.wire.kind === "cut" ? failed : usageReport(given);
