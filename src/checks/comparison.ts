import type { Agent } from "../agent/agent-client.ts";
import { AgentReader, maxReadingMs } from "../compare/agent-reader.ts";
import { type Comparison, compareServed, readServed, type Served } from "../compare/compare-agents.ts";
import { summarizeChanges } from "../compare/contract-change.ts";
import { readContract } from "../compare/read-contract.ts";
import type { Context } from "../context.ts";
import { type Failure, type Result, toResult } from "../errors.ts";
import { code, inputName, joined, type Message, text, withoutFullStop } from "../text/message.ts";
import { agentCheck, type Check, type Finding } from "./check.ts";

/** What an agent is compared with. */
export interface Compared {
  readonly url: string | undefined;
  /** What is served there, or why it can't be read. */
  readonly served: () => Promise<Result<Served>>;
}

export interface ComparisonOptions {
  /** The input `compare_with` or `compare_with_url`. */
  readonly target: string;
  /** Whether a breaking change, and what can't be read at all, fails the run. */
  readonly isGate: boolean;
  /** Undefined if there is nothing to compare with. */
  readonly compared: Compared | undefined;
  /** The total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** Reads the agent to compare with. @throws Failure if it can't be read */
export async function readCompared(
  agent: Agent,
  context: Context,
  requestTimeoutMs: number,
): Promise<Served> {
  if ("error" in agent) throw agent.error;
  const limits = { readingMs: maxReadingMs.served, requestTimeoutMs };
  return await readServed(new AgentReader(agent.value, context, limits));
}

/** Compares what an agent serves with something else (docs/specification.md#comparing-deployments). */
export function comparison(
  context: Context,
  agent: Agent,
  { target, isGate, compared, requestTimeoutMs }: ComparisonOptions,
): Check {
  const { report, cancelled } = context;
  const about = { kind: "comparison", name: target, input: inputName("compare_with") } as const;
  return agentCheck(agent, { ...about, isOptional: compared === undefined }, async (client) => {
    if (compared === undefined) {
      report.compared({ target, url: undefined, changes: [] });
      return { skipped: text`nothing to compare with` };
    }
    const before = await compared.served();
    if ("error" in before) return concludeUnread(text`the agent to compare with`, before.error, isGate);
    const limits = { readingMs: maxReadingMs.checked, requestTimeoutMs };
    const reader = new AgentReader(client, context, limits);
    const after = await toResult(() => readContract(reader), cancelled);
    if ("error" in after) return concludeUnread(text`the new version`, after.error, isGate);
    const found = compareServed(before.value, after.value);
    report.compared({ target, url: compared.url, changes: found.changes });
    return concludeComparison(found, isGate);
  });
}

const maxGaps = 3;
const keepContract = text`Keep what callers, clients and waiting threads rely on, or update the callers and clients first.`;
const asWarning = text`To make this a warning, set ${code("breaking_changes: warn")}.`;

function concludeComparison({ changes, gaps, isBlind }: Comparison, isGate: boolean): Finding {
  const further = gaps.length - maxGaps;
  const more = further > 0 ? text`${further} more parts could not be compared.` : undefined;
  const summary = summarizeChanges(changes, gaps.length > 0);
  const breaking = changes.filter(({ severity }) => severity === "breaking");
  const [first] = breaking;
  const firstBreaking = breaking.length > 1 ? text`The first: ${first?.message}` : first?.message;
  const problems = joined([firstBreaking, ...gaps.slice(0, maxGaps), more]);
  const hasProblems = problems.parts.length > 0;
  const passed = !isGate || (first === undefined && !isBlind);
  return {
    passed,
    warns: passed && hasProblems,
    what: hasProblems ? text`${summary}. ${withoutFullStop(problems)}` : summary,
    summary,
    hint: passed ? undefined : joined([first && keepContract, asWarning]),
  };
}

/** The result if one of the agents could not be read. `which`: that agent, as a part of a sentence. */
function concludeUnread(which: Message, { ending }: Failure, isGate: boolean): Finding {
  const summary = text`${which} could not be read`;
  const { message, hint } = ending;
  const what = text`${summary}. ${withoutFullStop(isGate ? message : joined([message, hint]))}`;
  return {
    passed: !isGate,
    warns: !isGate,
    what,
    summary,
    hint: isGate ? joined([hint, asWarning]) : undefined,
  };
}
