/** How a revision's status counts (platform-api, "States and transitions"; contract, 3.3). */
export type StatusKind = "pending" | "deployed" | "failed" | "superseded" | "interrupted";

const ended: ReadonlyMap<string, StatusKind> = new Map([
  ["DEPLOYED", "deployed"],
  ["SKIPPED", "superseded"],
  ["INTERRUPTED", "interrupted"],
]);

/** Pending statuses that are publicly known (platform-field-notes, Fields); others are pending too. */
const known = new Set([
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "UNKNOWN",
]);

/** A status that says that something failed, whatever, counts as failed (contract, 3.3). */
export function kindOfStatus(status: string): StatusKind {
  if (status.includes("FAILED")) return "failed";
  return ended.get(status) ?? "pending";
}

/** Whether this pending status was never heard of, which is worth a line in the log. */
export function isUnheardOf(status: string): boolean {
  return kindOfStatus(status) === "pending" && !known.has(status);
}
