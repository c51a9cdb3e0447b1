/** The simulated agents: what an agent server of the vendor responds, with graphs that repeat what they are told. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { ControlPlane, DeploymentSnapshot } from "../control-plane/control-plane.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { RevisionView } from "../dialects/views.ts";
import { RefusedError } from "../errors.ts";
import type { ActiveFaults } from "../faults/active-faults.ts";
import type { SimulatedGraph } from "../faults/fault-rule.ts";
import { jsonBody, validate } from "../routes/validation.ts";
import { refOf } from "../store/deployments.ts";
import {
  assistantId,
  defaultGraphs,
  drawingOf,
  schemasOf,
  simulateRun,
  systemAssistant,
  threadState,
} from "./simulated-graph.ts";

export interface AgentOptions {
  readonly dialect: Dialect;
  readonly controlPlane: ControlPlane;
  readonly faults: ActiveFaults;
  /** Refs whose revisions are deployed but not healthy. */
  readonly unhealthyRefs: readonly string[];
  /** The only valid `X-Api-Key` of agents; undefined: they need none. */
  readonly agentKey: string | undefined;
}

/** A revision that responds. */
interface Agent {
  readonly deployment: DeploymentSnapshot;
  readonly revision: RevisionView;
}

const AssistantSearchSchema = v.looseObject({
  graph_id: v.nullish(v.string()),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 10),
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
});

const ThreadSearchSchema = v.looseObject({
  status: v.nullish(v.string()),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 10),
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
});

const RunSchema = v.looseObject({
  assistant_id: v.string(),
  input: v.optional(v.unknown()),
  on_completion: v.optional(v.picklist(["delete", "keep"]), "delete"),
});

/** The servers of all deployments, below `/live/:name`. */
export function agentRoutes(options: AgentOptions): Hono {
  const routes = new Hono();
  routes.get("/ok", (c) => {
    findAgent(c, options);
    return c.json({ ok: true });
  });
  routes.get("/info", (c) => c.json(info(authorizedAgent(c, options), options)));
  routes.post("/assistants/search", async (c) => {
    const agent = authorizedAgent(c, options);
    const request = validate(AssistantSearchSchema, await jsonBody(c.req.raw), "body");
    const assistants = Object.keys(graphsOf(agent, options)).map((graph) =>
      systemAssistant(graph, agent.deployment.created_at),
    );
    const found = assistants.filter(({ graph_id }) => (request.graph_id ?? graph_id) === graph_id);
    return c.json(found.slice(request.offset, request.offset + request.limit));
  });
  routes.post("/runs/wait", async (c) => {
    const agent = authorizedAgent(c, options);
    const run = validate(RunSchema, await jsonBody(c.req.raw), "body");
    const fault = options.faults.runFault(refOf(agent.revision.source_revision_config));
    findGraph(fault?.ends === "missing" ? "" : run.assistant_id, agent, options);
    return c.json(simulateRun(run.input, fault));
  });
  routes.get("/assistants/:id/schemas", (c) => {
    const agent = authorizedAgent(c, options);
    return c.json(schemasOf(...findGraph(c.req.param("id"), agent, options)));
  });
  routes.get("/assistants/:id/graph", (c) => {
    const agent = authorizedAgent(c, options);
    const [, graph] = findGraph(c.req.param("id"), agent, options);
    return c.json(drawingOf(graph, c.req.query("xray") === "true"));
  });
  addThreadRoutes(routes, options);
  return routes;
}

function addThreadRoutes(routes: Hono, options: AgentOptions): void {
  const threadsOf = (c: Context) => options.faults.threads(authorizedAgent(c, options).deployment.name);
  const withStatus = async (c: Context) => {
    const threads = threadsOf(c);
    const request = validate(ThreadSearchSchema, await jsonBody(c.req.raw), "body");
    return { request, threads: threads.filter(({ status }) => (request.status ?? status) === status) };
  };
  routes.post("/threads/search", async (c) => {
    const { request, threads } = await withStatus(c);
    const page = threads.slice(request.offset, request.offset + request.limit);
    return c.json(
      page.map(({ thread_id, status, graph_id }) => ({ thread_id, status, metadata: { graph_id } })),
    );
  });
  routes.post("/threads/count", async (c) => c.json((await withStatus(c)).threads.length));
  routes.get("/threads/:id/state", (c) => {
    const thread = threadsOf(c).find(({ thread_id: id }) => id === c.req.param("id"));
    if (thread === undefined) throw new RefusedError(404, "Thread not found");
    const metadata = { graph_id: thread.graph_id };
    return c.json({ values: {}, ...threadState(thread.next), metadata });
  });
}

function graphsOf(
  { deployment, revision }: Agent,
  { faults }: AgentOptions,
): Readonly<Record<string, SimulatedGraph>> {
  return faults.graphs(deployment.name, refOf(revision.source_revision_config)) ?? defaultGraphs;
}

/** The graph of an assistant, given by the assistant's id or the graph's. @throws {RefusedError} 404 without it */
function findGraph(id: string, agent: Agent, options: AgentOptions): [string, SimulatedGraph] {
  const graphs = Object.entries(graphsOf(agent, options));
  const found = graphs.find(([graph]) => [graph, assistantId(graph)].includes(id));
  if (found === undefined) throw new RefusedError(404, "Assistant not found");
  return found;
}

/** @throws {RefusedError} 404 without the deployment, 503 without a healthy revision */
function findAgent(c: Context, { controlPlane, faults, unhealthyRefs }: AgentOptions): Agent {
  const name = c.req.param("name");
  const deployment = controlPlane.snapshot().find((one) => one.name === name);
  if (deployment === undefined) throw new RefusedError(404, "Not Found");
  const { revisions, active_revision_id: activeId } = deployment;
  const place = revisions.findIndex(({ id }) => id === activeId);
  const before = revisions.slice(place + 1).find(({ status }) => status === "DEPLOYED");
  const isOld = faults.oldRevisionResponds({ method: c.req.method, path: c.req.path });
  const revision = isOld && before !== undefined ? before : revisions[place];
  const isHealthy =
    revision?.status === "DEPLOYED" && !unhealthyRefs.includes(refOf(revision.source_revision_config) ?? "");
  if (!isHealthy) throw new RefusedError(503, "Service Unavailable");
  return { deployment, revision };
}

/** @throws {RefusedError} like `findAgent`, and 403 or 401 without the right key */
function authorizedAgent(c: Context, options: AgentOptions): Agent {
  const agent = findAgent(c, options);
  const key = c.req.header("x-api-key");
  if (options.agentKey !== undefined && key !== options.agentKey) {
    throw key === undefined
      ? new RefusedError(403, "Missing authentication headers")
      : new RefusedError(401, "Invalid API key");
  }
  return agent;
}

function info({ deployment, revision }: Agent, { dialect }: AgentOptions) {
  return {
    version: "1.0.0",
    langgraph_js_version: "1.0.0",
    context: "js",
    flags: { assistants: true, crons: false, langsmith: false, langsmith_tracing_replicas: true },
    ...(dialect.hasExtensions && {
      host: {
        kind: "saas",
        project_id: deployment.id,
        host_revision_id: revision.id,
        // The server's own, which is another one.
        revision_id: revision.id.split("-")[0],
        tenant_id: deployment.tenant_id,
      },
    }),
  };
}
