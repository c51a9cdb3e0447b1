import { toResult } from "../errors.ts";
import { text } from "../text/message.ts";
import type { AgentReader } from "./agent-reader.ts";
import { compareServed, type Served } from "./comparison.ts";
import { type Conclusion, concludeComparison, concludeUnread } from "./conclude-comparison.ts";
import { readContract } from "./read-contract.ts";

/**
 * Compares what two agents serve. `readBefore`: what is served now; `readerAfter`: of the new revision; `isGate`: whether a
 * breaking change, and what can't be read at all, fails the run.
 */
export async function compareAgents(
  readBefore: () => Promise<Served>,
  readerAfter: () => AgentReader,
  isGate: boolean,
  cancelled: AbortSignal,
): Promise<Conclusion> {
  const before = await toResult(readBefore, cancelled);
  if ("error" in before) return concludeUnread(text`the agent to compare with`, before.error, isGate);
  const after = await toResult(() => readContract(readerAfter()), cancelled);
  if ("error" in after) return concludeUnread(text`the new revision`, after.error, isGate);
  return concludeComparison(compareServed(before.value, after.value), isGate);
}
