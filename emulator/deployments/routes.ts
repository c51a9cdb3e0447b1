/** Requests about deployments and revisions → responses (platform-api, "Control plane: deployments"). */
import { Hono } from "hono";
import type { EmulatedPlatform } from "../platform.ts";
import { jsonBody, pathId, queryOf, refuseQuery, validate } from "../validation.ts";
import type { ControlPlane } from "./control-plane.ts";
import { DeploymentsQuerySchema, pageOf } from "./requests.ts";

/** The routes, relative to `/v2/deployments`. */
export function deploymentRoutes(controlPlane: ControlPlane, platform: EmulatedPlatform): Hono {
  const routes = new Hono();
  const idIn = (request: { param(name: string): string | undefined }) =>
    pathId(platform.idSchema, "deployment_id", request.param("id"));

  routes.get("/", (c) => {
    const query = validate(DeploymentsQuerySchema, queryOf(c.req.url), "query");
    return c.json(pageOf(controlPlane.list(query.name_contains), query));
  });

  routes.post("/", async (c) => {
    refuseQuery(c.req.url);
    const request = validate(platform.createSchema, await jsonBody(c.req.raw), "body");
    return c.json(controlPlane.create(request), 201);
  });

  routes.get("/:id", (c) => {
    refuseQuery(c.req.url);
    return c.json(controlPlane.read(idIn(c.req)));
  });

  routes.patch("/:id", async (c) => {
    refuseQuery(c.req.url);
    const request = validate(platform.updateSchema, await jsonBody(c.req.raw), "body");
    return c.json(controlPlane.update(idIn(c.req), request));
  });

  routes.delete("/:id", (c) => {
    validate(platform.deleteQuerySchema, queryOf(c.req.url), "query");
    controlPlane.delete(idIn(c.req));
    return c.body(null, 204);
  });

  routes.get("/:id/revisions", (c) => {
    const query = validate(platform.revisionsQuerySchema, queryOf(c.req.url), "query");
    const found = controlPlane
      .revisions(idIn(c.req))
      .filter(({ status }) => query.status?.includes(status) ?? true);
    return c.json(pageOf(found, query));
  });

  routes.get("/:id/revisions/:revisionId", (c) => {
    refuseQuery(c.req.url);
    const revisionId = pathId(platform.idSchema, "revision_id", c.req.param("revisionId"));
    return c.json(controlPlane.revision(idIn(c.req), revisionId));
  });

  return routes;
}
