/** The whole API as one function from a request to its response. */
import type { DatabaseSync } from "node:sqlite";
import { type Context, Hono, type Next } from "hono";
import { METHOD_NAME_ALL } from "hono/router";
import { ProviderUpdateRequestSchema } from "../../src/oauth-provider/schemas.ts";
import { usagePath } from "../../src/usage/schemas.ts";
import { type AgentOptions, agentRoutes } from "../agent/agent-routes.ts";
import type { Uploads } from "../control-plane/uploads.ts";
import type { Listener } from "../dialects/dialect.ts";
import { InvalidRequestError, RefusedError } from "../errors.ts";
import { isLoopbackHost } from "../loopback.ts";
import { updateProvider } from "../store/oauth-providers.ts";
import {
  type Credentials,
  requireApiKey,
  requireControlPlaneHeaders,
  requireHeadersOrBearer,
} from "./credentials.ts";
import { deploymentRoutes } from "./deployments.ts";
import { type Integration, integrationRoutes } from "./integrations.ts";
import { listenerRoutes } from "./listeners.ts";
import { projectLogRoutes } from "./logs.ts";
import { UPLOADS_PATH, uploadRoutes } from "./uploads.ts";
import { usageRoutes } from "./usage.ts";
import { jsonBody, refuseQuery, validate } from "./validation.ts";

export interface AppOptions extends Credentials, AgentOptions {
  readonly uploads: Uploads;
  readonly database: DatabaseSync;
  readonly integrations: readonly Integration[];
  readonly listeners: readonly Listener[];
  /** Whether the agents of deployments are simulated too. */
  readonly simulatesAgents: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** An application whose `fetch` returns the response to a request. */
export function createApp(options: AppOptions): Hono {
  const controlPlane = controlPlaneRoutes(options);
  const app = new Hono();
  if (!options.simulatesAgents) app.use(requireLoopbackHost);
  // Self-hosted installations serve the control plane under a prefix.
  app.route("/", controlPlane);
  app.route("/api-host", controlPlane);
  app.use(`${usagePath}/*`, requireApiKey(options));
  app.route(usagePath, usageRoutes(options.database));
  if (options.dialect.hasExtensions) {
    app.route(UPLOADS_PATH, uploadRoutes(options.uploads));
  }
  if (options.simulatesAgents) app.route("/live/:name", agentRoutes(options));
  app.notFound((c) => notFound(c, app));
  app.onError(errorResponse);
  return app;
}

function controlPlaneRoutes(options: AppOptions): Hono {
  const { dialect, controlPlane, database, integrations, listeners, now } = options;
  const routes = new Hono();
  routes.use("/v2/deployments/*", requireControlPlaneHeaders(options));
  routes.route("/v2/deployments", deploymentRoutes(controlPlane, dialect));
  if (dialect.hasExtensions) {
    routes.use("/v1/integrations/*", requireControlPlaneHeaders(options));
    routes.route("/v1/integrations", integrationRoutes(integrations, dialect.idSchema));
    routes.use("/v2/listeners/*", requireControlPlaneHeaders(options));
    routes.route("/v2/listeners", listenerRoutes(listeners, dialect.idSchema));
    routes.use("/v1/projects/*", requireControlPlaneHeaders(options));
    routes.route("/v1/projects", projectLogRoutes(controlPlane, dialect.idSchema));
  }
  routes.use("/v2/auth/providers/*", requireHeadersOrBearer(options));
  routes.patch("/v2/auth/providers/:providerId", async (c) => {
    refuseQuery(c.req.url);
    const request = validate(ProviderUpdateRequestSchema, await jsonBody(c.req.raw), "body");
    return c.json(updateProvider(database, c.req.param("providerId"), request, now()));
  });
  return routes;
}

/** A page may point a name of its own at this machine, and the default key is public: it must not run anything. */
async function requireLoopbackHost(c: Context, next: Next): Promise<void> {
  if (!isLoopbackHost(c.req.header("host"))) {
    throw new RefusedError(
      421,
      "With --run, the Host of a request has to be localhost or a loopback address.",
    );
  }
  await next();
}

/** 405 if the path exists for another method, else 404. */
function notFound(c: Context, app: Hono): Response {
  const served = app.routes
    .filter(
      ({ method, path }) =>
        method !== METHOD_NAME_ALL && new URLPattern({ pathname: path }).test({ pathname: c.req.path }),
    )
    .map(({ method }) => method);
  if (served.length === 0) return c.json({ detail: "Not Found" }, 404);
  return c.json({ detail: "Method Not Allowed" }, 405, { Allow: served.join(", ") });
}

function errorResponse(error: Error, c: Context): Response {
  if (error instanceof RefusedError) return c.json({ detail: error.message }, error.status);
  if (error instanceof InvalidRequestError) return c.json({ detail: error.items }, 422);
  console.error(error);
  return c.json({ detail: "Internal Server Error" }, 500);
}
