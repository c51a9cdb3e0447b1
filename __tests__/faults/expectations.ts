/**
 * The truth of each cell: how a run has to end when this goes wrong with that request so often. It follows from the
 * contract (3.1, 3.3, 4 to 8) alone: nothing here looks at the source.
 */
import { type Fault, hangs, isOfConnection, type Nature } from "./faults.ts";

/** What a request is to the run that makes it. */
export type Role =
  | "find to create"
  | "find to update"
  | "find to delete"
  | "find again"
  | "locate"
  | "read"
  | "create"
  | "update"
  | "candidate"
  | "poll"
  | "confirm"
  | "newer"
  | "search"
  | "search list"
  | "delete"
  | "delete, tried again"
  | "look before deletion"
  | "recorded"
  | "recorded, to update"
  | "resumed"
  | "look for twins"
  | "tolerated"
  | "health"
  | "preflight"
  | "preflight: ref"
  | "preflight: root"
  | "is it closed"
  | "GitHub read"
  | "report"
  | "export"
  | "provider";

/** What the truth depends on. */
export interface Case {
  readonly role: Role;
  readonly fault: Fault;
  /** How often in a row; `Infinity`: for ever. */
  readonly times: number;
  /** Whether the platform did what it was asked all the same. */
  readonly applied: boolean;
  /** How the run ends where nothing goes wrong. */
  readonly healthy: string;
}

/** Reads, deletions and writes that surely didn't happen are tried so often in all. */
const attempts = 5;

/** How the run may end. More than one only where the contract leaves it open. */
export function expectedEndings(cell: Case): readonly string[] {
  return [truths[cell.role](cell)].flat();
}

type Truth = (cell: Case) => string | readonly string[];

function isOf(cell: Case, ...natures: Nature[]): boolean {
  return natures.includes(cell.fault.nature);
}

const forEver = ({ times }: Case) => times === Number.POSITIVE_INFINITY;
const failed = "failed";

/** Whether a read is tried again after it: connection errors, 408, 429 and 5xx (contract, 3.1). */
function isPassing(cell: Case): boolean {
  return isOf(cell, "unsent", "lost", "stumble", "later", "wait", "unsaid wait");
}

/** Whether a write may have happened: all but no connection and 4xx (contract, 3.1). */
function isDoubtful(cell: Case): boolean {
  return isOf(cell, "lost", "stumble", "unimplemented", "oversized", "nonsense", "redirect");
}

/** By 404, 405 and 501 of the API itself a list endpoint is missing (contract, 3.1). */
function lacksEndpoint(cell: Case): boolean {
  return isOf(cell, "missing", "unsupported", "unimplemented");
}

const read: Truth = (cell) => (isPassing(cell) && cell.times < attempts ? cell.healthy : failed);

/** Without an endpoint a name counts as not found. */
const findToCreate: Truth = (cell) => (lacksEndpoint(cell) ? cell.healthy : read(cell));

/** The create is answered 409 then, and the name looked up again; a list that fails again leaves nothing to update. */
const findToUpdate: Truth = (cell) =>
  lacksEndpoint(cell) ? (cell.times === 1 ? cell.healthy : failed) : read(cell);

/** What the list showed may be gone by the time it is read; the name is taken then, and looked up again. */
const locate: Truth = (cell) =>
  isOf(cell, "missing") ? (forEver(cell) ? failed : cell.healthy) : read(cell);

/** The platform's own word that it isn't there is believed. */
const believeMissing: Truth = (cell) => (isOf(cell, "missing") ? cell.healthy : read(cell));

/** A write is tried again where no connection was made and on 429, and where in doubt looked for. */
const write: Truth = (cell) => {
  if (isDoubtful(cell)) return cell.applied ? cell.healthy : failed;
  return isOf(cell, "unsent", "wait", "unsaid wait") && cell.times < attempts ? cell.healthy : failed;
};

/** A create that is answered 409 is sent again once nothing of the name is found. */
const create: Truth = (cell) => (isOf(cell, "taken") && !forEver(cell) ? cell.healthy : write(cell));

/** A deletion may be repeated; what is in doubt is looked for, and what the platform says is gone is gone. */
const remove: Truth = (cell) => {
  if (isOf(cell, "missing")) return cell.healthy;
  if (isPassing(cell) && cell.times < attempts) return cell.healthy;
  return isDoubtful(cell) && cell.applied ? cell.healthy : failed;
};

/** Borne until the deadline, which a pause beyond it leaves one last look of; 401 and 403 end it. */
const poll: Truth = (cell) => {
  if (isOf(cell, "not allowed")) return failed;
  if (isOf(cell, "endless wait")) return cell.times === 1 ? cell.healthy : "timed_out";
  if (!forEver(cell)) return cell.healthy;
  // Within a minute of the write a 404 means "not yet", and what hangs is given less than a minute here.
  return isOf(cell, "missing") ? failed : "timed_out";
};

/** Whether the other revision is the newer one can't be told then, so the run waits for its own to be live. */
const newer: Truth = (cell) => (isOf(cell, "not allowed") || forEver(cell) ? failed : cell.healthy);

/** The effect of a write is looked for for a minute, of which an endless pause leaves one last look. */
const search: Truth = (cell) => {
  if (isOf(cell, "not allowed")) return failed;
  if (isOf(cell, "missing") && cell.healthy === "deleted") return cell.healthy;
  if (isOf(cell, "endless wait")) return cell.times === 1 ? cell.healthy : failed;
  return forEver(cell) ? failed : cell.healthy;
};

/** The status alone decides: a 2xx is well, whatever follows it. */
const health: Truth = (cell) => {
  const { kind } = cell.fault.mishap;
  const succeeds = isOf(cell, "nonsense") || kind === "trickle" || kind === "cut" || kind === "flood";
  return forEver(cell) && !succeeds ? failed : cell.healthy;
};

/** A read of GitHub's is tried so often in all. */
const gitHubAttempts = 3;

/**
 * Whether a read of GitHub's is tried again after it: where GitHub put it off itself, and after connection errors, 408
 * and 5xx (contract, 3.1); to `fetch` a change of protocol is a broken connection. What hangs has had its time.
 */
function stumbles(cell: Case): boolean {
  if (cell.fault.mishap.kind === "upgrade") return true;
  return isOf(cell, "unsent", "lost", "stumble", "unimplemented", "later") && !hangs(cell.fault);
}

function isAskedAgain(cell: Case): boolean {
  return isOf(cell, "wait") ? cell.times === 1 : stumbles(cell) && cell.times < gitHubAttempts;
}

const gitHubRead: Truth = (cell) => (isAskedAgain(cell) ? cell.healthy : failed);

const truths: Readonly<Record<Role, Truth>> = {
  "find to create": findToCreate,
  "find to update": findToUpdate,
  // A name that can't be looked up is not deleted.
  "find to delete": read,
  // After a 409 there is a deployment of the name, so "no list" can't mean "not found".
  "find again": read,
  locate,
  read,
  create,
  update: write,
  // What it would tell is only whether the platform named another's revision; the watch finds all else out.
  candidate: (cell) => (cell.times === 1 ? cell.healthy : poll(cell)),
  poll,
  confirm: poll,
  newer,
  search,
  "search list": (cell) => (lacksEndpoint(cell) ? failed : search(cell)),
  delete: remove,
  // What ends badly after its write is asked once more whether it is wanted, and deleted then.
  "delete, tried again": (cell) => (cell.times === 1 ? cell.healthy : remove(cell)),
  "look before deletion": believeMissing,
  recorded: believeMissing,
  "recorded, to update": locate,
  // Without it a revision is made, which is then asked for in the same way.
  resumed: locate,
  // It changes nothing by itself, but where no connection is to be had any more the end isn't seen either.
  "look for twins": (cell) => (forEver(cell) && isOfConnection(cell.fault) ? "timed_out" : cell.healthy),
  // Neither a failure on GitHub's side (contract, 4) nor of what only helps, or follows a failure, changes the outcome.
  tolerated: (cell) => cell.healthy,
  health,
  // GitHub's own word that the ref or the file isn't there is believed.
  preflight: (cell) => (cell.fault.name.startsWith("404") ? failed : cell.healthy),
  // A file that is missing stops a deployment only where GitHub says so of the file and not of the repository.
  "preflight: ref": (cell) =>
    cell.fault.name.startsWith("404") || isAskedAgain(cell) ? cell.healthy : "deployed",
  "preflight: root": (cell) => (isAskedAgain(cell) ? cell.healthy : "deployed"),
  // It is asked after the write and at the end; a preview of which GitHub won't tell stays.
  "is it closed": (cell) => {
    if (forEver(cell) || isOf(cell, "endless wait")) return "deployed";
    // What befalls connections in a row, whatever they are for, or lasts for some pauses, may spare one of the two.
    const isOfAll = isOfConnection(cell.fault) && cell.times > 1;
    if (isOfAll || (isOf(cell, "wait") && cell.times > 1)) return [cell.healthy, "deployed"];
    return cell.times === 1 || stumbles(cell) ? cell.healthy : "deployed";
  },
  "GitHub read": gitHubRead,
  // The time of one request is the time of the whole report (contract, 7).
  report: (cell) => (hangs(cell.fault) ? failed : read(cell)),
  // An export that has begun is not asked for again.
  export: (cell) => (hangs(cell.fault) || cell.fault.mishap.kind === "cut" ? failed : read(cell)),
  provider: read,
};
