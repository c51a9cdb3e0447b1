/** The deployments themselves, so that a health check has somebody to ask: an answer is all they have. */
import { Hono } from "hono";
import type { ExtraParts } from "../platform.ts";

type LiveParts = Pick<ExtraParts, "controlPlane" | "unhealthyRefs">;

/** The routes, relative to `/live`. They ask for no credentials. */
export function liveRoutes({ controlPlane, unhealthyRefs }: LiveParts): Hono {
  const routes = new Hono();

  routes.get("/:name/*", (c) => {
    const deployment = controlPlane.snapshot().find(({ name }) => name === c.req.param("name"));
    if (deployment === undefined) return c.json({ detail: "Not Found" }, 404);
    const active = deployment.revisions.find(({ id }) => id === deployment.active_revision_id);
    const ref = String(active?.source_revision_config.repo_ref);
    const isHealthy = active?.status === "DEPLOYED" && !unhealthyRefs.includes(ref);
    return isHealthy ? c.json({ ok: true }) : c.json({ detail: "Service Unavailable" }, 503);
  });

  return routes;
}
