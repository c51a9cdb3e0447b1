import type { Phrase } from "../text/message.ts";

/** A request that changes something. */
export interface Write {
  /** A `rollback` makes a revision too. `other`: a change without a revision. */
  readonly kind: "revision" | "rollback" | "deletion" | "other";
  /** Names it in messages, such as "update of my-agent". */
  readonly title: Phrase;
}

export function makesRevision({ kind }: Write): boolean {
  return kind === "revision" || kind === "rollback";
}

/** A write that was not refused. */
export interface SentWrite {
  readonly write: Write;
  /** Whether a response confirmed that it took effect. */
  readonly isConfirmed: boolean;
}
