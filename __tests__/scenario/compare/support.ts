import type { EmulatorOptions, FaultRule } from "../../../emulator/index.ts";
import {
  defaultCreate,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";

type Graphs = Extract<FaultRule, { kind: "graphs" }>["graphs"];
type Threads = Extract<FaultRule, { kind: "threads" }>["threads"];

export const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: "object",
  properties,
  required,
});
const string = { type: "string" };

/** A graph that writes a draft and has it approved. */
export const drafts: Graphs[string] = {
  nodes: ["write", "approve"],
  input: object({ question: string }),
  output: object({ answer: string }, "answer"),
  state: object({ question: string, draft: string, answer: string }),
};

/** The same graph with `approve` renamed. */
export const renamed: Graphs[string] = { ...drafts, nodes: ["write", "review"] };

/** Threads that wait at these nodes, the newest first. */
export function waitingAt(...nodes: string[]): Threads {
  return nodes.map((node, index) => ({ thread_id: `thread-${index + 1}`, next: [node] }));
}

interface Given {
  /** What `my-agent` serves. */
  readonly before?: Graphs;
  /** What the run's ref serves. */
  readonly after?: Graphs;
  /** Those of `my-agent`. */
  readonly threads?: Threads;
  readonly options?: EmulatorOptions;
}

export interface CompareScenario extends Scenario {
  /** Deploys `agent` from the ref `next`, compared with `my-agent`. */
  compare(inputs?: Inputs): Promise<ScenarioRun>;
}

/** A deployment `my-agent`, live from the ref `main`, and a ref `next` that serves something else. */
export async function startComparison(given: Given = {}): Promise<CompareScenario> {
  const { before = { agent: drafts }, after = { agent: renamed }, threads = [], options = {} } = given;
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0, ...options });
  const { emulator } = scenario;
  await scenario.existing("my-agent", { source_revision_config: defaultCreate.source_revision_config });
  emulator.addFault({ kind: "graphs", repo_ref: "main", graphs: before });
  emulator.addFault({ kind: "graphs", repo_ref: "next", graphs: after });
  emulator.addFault({ kind: "threads", deployment: "my-agent", threads });
  const compare: CompareScenario["compare"] = (inputs) =>
    scenario.deploy({ repo_ref: "next", compare_with: "my-agent", ...inputs });
  return { ...scenario, compare };
}

/** The output `contract_changes`. */
export function changesOf({ outputs }: ScenarioRun): unknown {
  return JSON.parse(outputs.contract_changes ?? "null");
}

/** Such as `POST threads/search`: what an agent was asked, without the checks. */
export function readLines({ emulator }: Scenario, name: string): string[] {
  return emulator.requests
    .filter(({ path }) => path.startsWith(`/live/${name}/`) && !/\/(ok|info)$/.test(path))
    .map(({ method, path }) => `${method} ${path.slice(`/live/${name}/`.length)}`);
}

interface Body {
  readonly offset?: number;
  readonly status?: string;
}

/** What an agent responds to a request whose method and path start with the key. */
type Routes = Readonly<Record<string, (body: Body) => unknown>>;

/** The routes that show these graphs, whose schemas and nodes are any JSON. */
export function servedBy(
  graphs: Readonly<Record<string, { readonly nodes: readonly string[]; readonly schemas?: unknown }>>,
): Routes {
  const entries = Object.entries(graphs);
  const routes = entries.flatMap(([, { nodes, schemas = {} }], index) => [
    [`GET /assistants/${index}/schemas`, () => schemas],
    [`GET /assistants/${index}/graph`, () => ({ nodes: nodes.map((id) => ({ id })) })],
  ]);
  const assistants = entries.map(([graph_id], index) => ({
    assistant_id: String(index),
    graph_id,
    metadata: { created_by: "system" },
  }));
  return {
    ...Object.fromEntries(routes),
    "POST /assistants/search": ({ offset }) => assistants.slice(offset),
    "POST /threads/search": () => [],
  };
}

/** `my-agent` has a server of its own, which responds like this; others are played. */
export async function startWithOwnAgent(routes: Routes) {
  const agent = await serve(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const line = `${request.method} ${request.url}`;
    const [, respond] = Object.entries(routes).find(([start]) => line.startsWith(start)) ?? [];
    response.statusCode = respond === undefined ? 404 : 200;
    response.end(
      JSON.stringify((await respond?.(text === "" ? {} : JSON.parse(text))) ?? { detail: "Not Found" }),
    );
  });
  const scenario = await startScenario({ statusSeconds: 0 });
  const { source_config } = defaultCreate;
  await scenario.existing("my-agent", { source_config: { ...source_config, custom_url: agent } });
  const compare = (inputs: Inputs = {}) => scenario.deploy({ compare_with: "my-agent", ...inputs });
  return { scenario, compare, agent };
}
