import type { AgentClient } from "../agent/agent-client.ts";
import type { Context } from "../context.ts";
import type { Result } from "../errors.ts";
import type { CheckIdentity, FailedCheck } from "../report/check-result.ts";
import type { RevisionReport } from "../report/revision-report.ts";
import {
  joined,
  type Message,
  type Phrase,
  phrase,
  rawText,
  shortened,
  text,
  withoutFullStop,
} from "../text/message.ts";

export interface CheckContext extends Context {
  readonly revisionReport: RevisionReport;
}

export type CheckFinding = {
  /** What came out, or why an optional check was skipped. */
  readonly description: Phrase;
} & (
  | { readonly verdict: "passed" | "warned" | "skipped"; readonly summary?: Phrase }
  | ({ readonly verdict: "failed" } & Pick<FailedCheck, "hint" | "evidence" | "summary">)
);

export interface Check extends CheckIdentity {
  /** Whether a sleeping deployment is woken first. */
  readonly wakes: boolean;
  readonly perform: () => Promise<CheckFinding>;
}

interface AgentCheck extends CheckIdentity {
  /** The input that asks for the check. */
  readonly input: Phrase;
  /** Whether the check is skipped if there is no agent. It does not wake one. */
  readonly isOptional?: boolean;
}

/** Makes a check of an agent, which fails if the agent can't be requested. */
export function agentCheck(
  agent: Result<AgentClient>,
  { kind, name, input, isOptional = false }: AgentCheck,
  ask: (client: AgentClient) => Promise<CheckFinding>,
): Check {
  const perform = async (): Promise<CheckFinding> => {
    if (agent.error === undefined) return await ask(agent.value);
    const { message, hint } = agent.error.ending;
    const description = withoutFullStop(message);
    if (isOptional) return { verdict: "skipped", description };
    return { verdict: "failed", description, hint: joined([hint, text`Otherwise, remove ${input}.`]) };
  };
  return { kind, name, wakes: !isOptional, perform };
}

/** A difference between an expected response and the received one. */
export interface Mismatch {
  readonly expected: Phrase;
  readonly received: Phrase;
  readonly hint: Message;
}

/** The longest part of a received value in the sentence, in characters. The evidence shows more. */
const maxReceivedLength = 150;

/** Returns the finding for a response that is not as expected. `lead`: the start of its sentence. */
export function mismatched(
  request: Phrase,
  [first, ...others]: readonly [Mismatch, ...Mismatch[]],
  lead?: Phrase,
): CheckFinding {
  const byReceived = Map.groupBy([first, ...others], ({ received }) => rawText(received));
  return {
    verdict: "failed",
    description: phrase`${lead}expected ${first.expected}, received ${shortened(first.received, maxReceivedLength)}`,
    hint: first.hint,
    evidence: [text`Request:  ${request}`, ...[...byReceived.values()].flatMap(evidenceOf)],
  };
}

function evidenceOf(mismatches: readonly Mismatch[]): Message[] {
  return [
    ...mismatches.map(({ expected }) => text`Expected: ${expected}`),
    ...mismatches.slice(0, 1).map(({ received }) => text`Received: ${received}`),
  ];
}

/**
 * The longest wait for one response. A starting service may drop the first requests. The last request gets as much as the
 * others, because its failure is reported.
 */
export const maxResponseMs = 10_000;

export function agentTimes({ clock }: Context, timeoutMs: number) {
  return { deadline: clock.now() + timeoutMs, delayMs: 2000 };
}
