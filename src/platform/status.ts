type StatusKind = "pending" | "deployed" | "failed" | "superseded" | "interrupted";

/** The status of a revision. */
export interface Status {
  /** The status in the platform's words; `(empty)` for an empty one. */
  readonly raw: string;
  readonly kind: StatusKind;
  /** False for an unknown status, which counts as pending. */
  readonly isKnown: boolean;
}

const kinds: ReadonlyMap<string, StatusKind> = new Map([
  ["DEPLOYED", "deployed"],
  ["SKIPPED", "superseded"],
  ["INTERRUPTED", "interrupted"],
  ["CREATING", "pending"],
  ["QUEUED", "pending"],
  ["AWAITING_BUILD", "pending"],
  ["BUILDING", "pending"],
  ["AWAITING_DEPLOY", "pending"],
  ["DEPLOYING", "pending"],
  ["UNKNOWN", "pending"],
]);

/** Classifies a status, ignoring case. Every status that contains FAILED is a failure. */
export function classifyStatus(raw: string): Status {
  if (raw.trim() === "") return { raw: "(empty)", kind: "pending", isKnown: false };
  const name = raw.toUpperCase();
  if (name.includes("FAILED")) return { raw, kind: "failed", isKnown: true };
  const kind = kinds.get(name);
  return { raw, kind: kind ?? "pending", isKnown: kind !== undefined };
}

/** Whether a revision with this status, or with none so far, may still go live. An interrupted one may continue. */
export function mayGoLive(status: Status | undefined): boolean {
  const kind = status?.kind ?? "pending";
  return kind === "pending" || kind === "interrupted";
}

/** Returns the stage in which a revision failed. A revision that failed before its build counts as a failed build. */
export function failedStage({ raw }: Status): "build" | "deploy" {
  return raw.toUpperCase().includes("DEPLOY") ? "deploy" : "build";
}

/** Returns the phase of the build that a status shows. An unknown status counts as `during`. */
export function buildPhase({ raw, kind }: Status): "before" | "during" | "after" {
  const name = raw.toUpperCase();
  if (["CREATING", "QUEUED", "AWAITING_BUILD"].includes(name)) return "before";
  return kind !== "pending" || name.includes("DEPLOY") ? "after" : "during";
}
