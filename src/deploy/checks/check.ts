import { pollUntil } from "../../http/poll.ts";
import type { Revision } from "../../platform/deployment.ts";
import { code, text, type Value } from "../../text/message.ts";
import type { CheckResult } from "../../watch-results.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { DeployJob } from "../job.ts";
import type { AgentClient, UnreachableAgent } from "./agent-client.ts";

/** One check of the deployed agent. */
export interface Check {
  readonly kind: CheckResult["kind"];
  /** As in `CheckResult`. */
  readonly name: string;
  /**
   * Returns what was found out; undefined if there is nothing to report.
   *
   * @throws the reason of a cancellation.
   */
  readonly perform: (target: CheckTarget) => Promise<Finding | undefined>;
}

/** What is checked, and with what. */
export interface CheckTarget {
  readonly job: DeployJob;
  /** This run's revision, which is live. */
  readonly ours: RunRevision;
  /** The same as the platform shows it. */
  readonly revision: Revision;
  readonly agent: AgentClient | UnreachableAgent;
}

/** What a check found out. */
export type Finding = Pick<CheckResult, "passed" | "finding" | "hint" | "evidence" | "isSuperseded">;

/** The finding of a check whose agent can't be requested. `input`: the one that asks for the check. */
export function unreachableFinding({ why, hint }: UnreachableAgent, path: string, input: Value): Finding {
  return {
    passed: false,
    finding: text`${code(path)} can't be requested, because ${why}`,
    hint: text`${hint}, or remove ${input}.`,
  };
}

/** The longest wait for one response, in milliseconds: a service that starts may drop the first requests. */
const maxResponseMs = 10_000;
/** The last request at the end of the time gets at least this, in milliseconds. */
const minResponseMs = 1000;
const delayMs = 2000;

/**
 * Polls until an attempt returns a value, and once more when `timeoutMs` are over; undefined if none did. Each attempt
 * gets the time that one response may take, in milliseconds.
 *
 * @throws what an attempt throws, and the reason of a cancellation.
 */
export async function pollAgent<T>(
  job: DeployJob,
  timeoutMs: number,
  attempt: (responseMs: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = job.clock.now() + timeoutMs;
  const limited = () => {
    const leftMs = Math.max(minResponseMs, deadline - job.clock.now());
    return attempt(Math.min(maxResponseMs, leftMs));
  };
  return await pollUntil(limited, { deadline, delayMs, mayKeepPolling: () => false }, job);
}
