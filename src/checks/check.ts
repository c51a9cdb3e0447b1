import type { AgentClient } from "../agent/agent-client.ts";
import type { Context } from "../context.ts";
import type { Result } from "../errors.ts";
import { describeResponse, type HttpResponse } from "../http/response.ts";
import type { CheckFinding, CheckResult } from "../state/check-result.ts";
import {
  distinct,
  type Message,
  type Phrase,
  phrase,
  shortened,
  text,
  withoutFullStop,
} from "../text/message.ts";

/** A check that requests the agent. */
export interface Check extends Pick<CheckResult, "kind" | "name"> {
  /** The verdict if no URL may be requested. For a check that may be skipped, a sleeping agent is not woken. */
  readonly verdictWithoutUrl: "failed" | "warned" | "skipped";
  /** The input that asks for the check. */
  readonly input: Phrase;
  readonly perform: (agent: AgentClient, context: Context) => Promise<CheckFinding>;
}

export interface Mismatch {
  readonly expected: Phrase;
  readonly received: Phrase;
  readonly hint: Message;
}

/** The longest part of a received value in the sentence, in characters. The evidence shows more. */
const maxReceivedLength = 150;

/** Returns the finding for a response that is not as expected. The prefix begins its description. */
export function mismatched(
  request: Phrase,
  mismatches: readonly [Mismatch, ...Mismatch[]],
  prefix?: Phrase,
): CheckFinding {
  const [{ expected, received, hint }] = mismatches;
  return {
    verdict: "failed",
    description: phrase`${prefix}expected ${expected}, received ${shortened(received, maxReceivedLength)}`,
    hint,
    evidence: distinct([
      text`Request:  ${request}`,
      ...mismatches.map((mismatch) => text`Expected: ${mismatch.expected}`),
      ...mismatches.map((mismatch) => text`Received: ${mismatch.received}`),
    ]),
  };
}

/** Describes a response, or why none came, after "received". */
export function describeReceived({ value, error }: Result<HttpResponse>): Phrase {
  if (error !== undefined) return phrase`none: ${withoutFullStop(error.ending.message)}`;
  return phrase`${value.status}, ${describeResponse(value)}`;
}

/**
 * The longest wait for one response. A starting service may drop the first requests. The last request gets as much as the
 * others, because its failure is reported.
 */
export const maxResponseMs = 10_000;

export function agentPollTimes({ clock }: Context, timeoutMs: number) {
  return { deadline: clock.now() + timeoutMs, delayMs: 2000 };
}
