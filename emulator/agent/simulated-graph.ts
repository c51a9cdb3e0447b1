/** The graph of the simulated agents, which repeats each message. */
import type { RunFault } from "../faults/fault-rule.ts";

export const GRAPH_ID = "agent";

/** The assistant that the system makes of the graph. The id is the same on every server: a UUID of the graph's id. */
export function systemAssistant(createdAt: string) {
  return {
    assistant_id: "fe096781-5601-53d2-b2f6-0d3403f7e9ca",
    graph_id: GRAPH_ID,
    name: GRAPH_ID,
    config: {},
    context: {},
    metadata: { created_by: "system" },
    version: 1,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** The final state of a run with this input. A run that fails has a final state too. */
export function simulateRun(input: unknown, fault: RunFault | undefined): Record<string, unknown> {
  if (fault?.ends === "error") return { __error__: { error: "Error", message: fault.message } };
  const state = isRecord(input) ? input : {};
  const messages = Array.isArray(state.messages) ? state.messages : [];
  if (fault?.ends === "interrupted") {
    return { ...state, messages, __interrupt__: [{ id: "interrupt-1", value: fault.message }] };
  }
  return { ...state, messages: [...messages, { type: "ai", content: `You said: ${lastContent(messages)}` }] };
}

function lastContent(messages: readonly unknown[]): string {
  const last = messages.at(-1);
  return isRecord(last) && typeof last.content === "string" ? last.content : "nothing";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
