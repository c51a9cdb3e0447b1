/** The graph of the simulated agents, which repeats each message. */
import { createHash } from "node:crypto";
import type { RunFault, SimulatedGraph } from "../faults/fault-rule.ts";

const messages = {
  type: "object",
  properties: {
    messages: {
      type: "array",
      items: {
        type: "object",
        properties: { role: { type: "string" }, content: { type: "string" } },
        required: ["content"],
      },
    },
  },
};

/** The graph of an agent without a rule that sets others. */
export const defaultGraphs: Readonly<Record<string, SimulatedGraph>> = {
  agent: { nodes: ["agent"], input: messages, output: messages, state: messages },
};

/** That of the vendor's servers. */
const NAMESPACE = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** The id of a graph's assistant, which is the same on every server: a UUID of the graph's id. */
export function assistantId(graphId: string): string {
  const namespace = Buffer.from(NAMESPACE.replaceAll("-", ""), "hex");
  // https://www.rfc-editor.org/rfc/rfc9562#section-5.5
  const hash = createHash("sha1").update(namespace).update(graphId).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The assistant that the system makes of a graph. */
export function systemAssistant(graphId: string, createdAt: string) {
  return {
    assistant_id: assistantId(graphId),
    graph_id: graphId,
    name: graphId,
    config: {},
    context: {},
    metadata: { created_by: "system" },
    version: 1,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** The schemas of a graph; the vendor's servers leave out those that a graph does not have. */
export function schemasOf(graphId: string, graph: SimulatedGraph) {
  return {
    graph_id: graphId,
    input_schema: graph.input,
    output_schema: graph.output,
    state_schema: graph.state,
    config_schema: graph.config,
    context_schema: graph.context,
  };
}

/** The drawing of a graph; without `xray` a subgraph is one node. */
export function drawingOf({ nodes }: SimulatedGraph, xray: boolean) {
  const shown = xray ? nodes : nodes.map((node) => node.replace(/:.*/, ""));
  const ids = ["__start__", ...new Set(shown), "__end__"];
  return {
    nodes: ids.map((id) => ({ id, type: "runnable", data: { id: ["RunnableCallable"], name: id } })),
    edges: ids.slice(1).map((target, index) => ({ source: ids[index], target, conditional: false })),
  };
}

interface ThreadState {
  readonly next: readonly string[];
  readonly tasks: readonly { readonly name: string; readonly state: ThreadState | null }[];
}

/** The state of a thread, with those of the subgraphs in which it waits. */
export function threadState(next: readonly string[]): ThreadState {
  const own = [...new Set(next.map((node) => node.replace(/:.*/, "")))];
  const tasks = own.map((name) => {
    const below = next
      .filter((node) => node.startsWith(`${name}:`))
      .map((node) => node.slice(name.length + 1));
    return { name, state: below.length === 0 ? null : threadState(below) };
  });
  return { next: own, tasks };
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
