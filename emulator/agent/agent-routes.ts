/** The simulated agents: what an agent server of the vendor responds, with one graph that repeats what it is told. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { ControlPlane, DeploymentSnapshot } from "../control-plane/control-plane.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { RevisionView } from "../dialects/views.ts";
import { RefusedError } from "../errors.ts";
import type { ActiveFaults } from "../faults/active-faults.ts";
import { jsonBody, validate } from "../routes/validation.ts";
import { refOf } from "../store/deployments.ts";
import { GRAPH_ID, simulateRun, systemAssistant } from "./simulated-graph.ts";

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
    const { deployment } = authorizedAgent(c, options);
    const request = validate(AssistantSearchSchema, await jsonBody(c.req.raw), "body");
    const assistants = [systemAssistant(deployment.created_at)];
    const found = assistants.filter(({ graph_id }) => (request.graph_id ?? graph_id) === graph_id);
    return c.json(found.slice(request.offset, request.offset + request.limit));
  });
  routes.post("/runs/wait", async (c) => {
    const { revision } = authorizedAgent(c, options);
    const run = validate(RunSchema, await jsonBody(c.req.raw), "body");
    const fault = options.faults.runFault(refOf(revision.source_revision_config));
    const { assistant_id } = systemAssistant(revision.created_at);
    const isKnown = [GRAPH_ID, assistant_id].includes(run.assistant_id) && fault?.ends !== "missing";
    if (!isKnown) throw new RefusedError(404, "Assistant not found");
    return c.json(simulateRun(run.input, fault));
  });
  return routes;
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
