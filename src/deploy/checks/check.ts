import type { CheckResult, Evidence, RunContext } from "../../events.ts";
import type { AgentClient, UnreachableAgent } from "./agent-client.ts";

/** One check of the deployed agent. */
export interface Check {
  readonly kind: CheckResult["kind"];
  /** Of a smoke test its own name, otherwise the path that is requested. */
  readonly name: string;
  /**
   * Returns what was found out; undefined if there is nothing to report.
   *
   * @throws the reason of a cancellation.
   */
  readonly run: (subject: CheckSubject, context: RunContext) => Promise<Finding | undefined>;
}

/** What is checked. */
export interface CheckSubject {
  readonly revisionId: string;
  readonly agent: AgentClient | UnreachableAgent;
  /** Whether a revision is newer than this run's; undefined if that is unknown. */
  readonly isNewer: (revisionId: string) => Promise<boolean | undefined>;
}

/** What a check found out. Texts are redacted and sanitized. */
export type Finding =
  /** `what`: what came, such as `GET /ok: 200`. */
  { readonly passed: true; readonly what: string } | FailedFinding;

export interface FailedFinding {
  readonly passed: false;
  /** Why it failed: a sentence that starts with a small letter. */
  readonly what: string;
  readonly hint: string;
  readonly evidence?: Evidence;
  /** Whether a newer revision responded in place of this run's. */
  readonly isSuperseded?: boolean;
}

/** The finding of a check whose agent can't be requested. `input`: the one that asks for the check. */
export function unreachableFinding(
  { why, hint }: UnreachableAgent,
  request: string,
  input: string,
): FailedFinding {
  return {
    passed: false,
    what: `${request} can't be requested, because ${why}.`,
    hint: `${hint}, or remove ${input}.`,
  };
}
