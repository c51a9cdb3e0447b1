/** The whole API as one function from request to response; sockets are `server.ts`'s business. */

import type { DatabaseSync } from "node:sqlite";
import { type Context, Hono } from "hono";
import { USAGE_PATH } from "../src/usage/schemas.ts";
import {
  type Credentials,
  requireApiKey,
  requireControlPlaneHeaders,
  requireHeadersOrBearer,
} from "./credentials.ts";
import { deploymentRoutes } from "./deployments/routes.ts";
import { InvalidRequestError, RefusedError } from "./errors.ts";
import { providerRoutes } from "./oauth/routes.ts";
import type { EmulatedPlatform, ExtraParts, ExtraRoutes } from "./platform.ts";
import { usageRoutes } from "./usage/routes.ts";

/** What the API is made of. */
export interface AppParts extends Credentials, ExtraParts {
  readonly platform: EmulatedPlatform;
  readonly database: DatabaseSync;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** @returns the application; its `fetch` answers a request */
export function createApp(parts: AppParts): Hono {
  const { database, platform } = parts;
  const extra = platform.extraRoutes?.(parts);
  const controlPlane = controlPlaneRoutes(parts, extra);
  const app = new Hono();
  // Self-hosted installations serve it under a prefix (platform-api, Authentication 4).
  app.route("/", controlPlane);
  app.route("/api-host", controlPlane);
  app.use(`${USAGE_PATH}/*`, requireApiKey(parts));
  app.route(USAGE_PATH, usageRoutes(database));
  if (extra !== undefined) app.route("/live", extra.live);
  app.notFound((c) => notFound(c, app));
  app.onError(answerTo);
  return app;
}

function controlPlaneRoutes(parts: AppParts, extra: ExtraRoutes | undefined): Hono {
  const { platform, database, now } = parts;
  const routes = new Hono();
  routes.use("/v2/deployments/*", requireControlPlaneHeaders(parts));
  routes.route("/v2/deployments", deploymentRoutes(parts.controlPlane, platform));
  if (extra !== undefined) {
    routes.route("/v2/deployments", extra.deployments);
    routes.use("/v1/integrations/*", requireControlPlaneHeaders(parts));
    routes.route("/v1/integrations", extra.integrations);
  }
  routes.use("/v2/auth/providers/*", requireHeadersOrBearer(parts));
  routes.route("/v2/auth/providers", providerRoutes(database, now));
  return routes;
}

const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/** 405 for a path that another method has, else 404. */
function notFound(c: Context, app: Hono): Response {
  const served = METHODS.filter((method) => isRoute(app, method, c.req.path));
  if (served.length === 0) return c.json({ detail: "Not Found" }, 404);
  return c.json({ detail: "Method Not Allowed" }, 405, { Allow: served.join(", ") });
}

function isRoute(app: Hono, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path);
  return handlers.some(([[, route]]) => route.method === method);
}

function answerTo(error: Error, c: Context): Response {
  if (error instanceof RefusedError) return c.json({ detail: error.message }, error.status);
  if (error instanceof InvalidRequestError) return c.json({ detail: error.items }, 422);
  console.error(error);
  return c.json({ detail: "Internal Server Error" }, 500);
}
