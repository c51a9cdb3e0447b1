/** Requests about deployments and revisions → responses (platform-api, "Control plane: deployments"). */
import { Hono } from "hono";
import { jsonBody, queryOf, refuseQuery, validate } from "../validation.ts";
import type { ControlPlane } from "./control-plane.ts";
import {
  CreateSchema,
  DeploymentsQuerySchema,
  pageOf,
  RevisionsQuerySchema,
  UpdateSchema,
} from "./requests.ts";

/** The routes, relative to `/v2/deployments`. */
export function deploymentRoutes(controlPlane: ControlPlane): Hono {
  const routes = new Hono();

  routes.get("/", (c) => {
    const query = validate(DeploymentsQuerySchema, queryOf(c.req.url), "query");
    return c.json(pageOf(controlPlane.list(query.name_contains), query));
  });

  routes.post("/", async (c) => {
    refuseQuery(c.req.url);
    return c.json(controlPlane.create(validate(CreateSchema, await jsonBody(c.req.raw), "body")), 201);
  });

  routes.get("/:id", (c) => {
    refuseQuery(c.req.url);
    return c.json(controlPlane.read(c.req.param("id")));
  });

  routes.patch("/:id", async (c) => {
    refuseQuery(c.req.url);
    const request = validate(UpdateSchema, await jsonBody(c.req.raw), "body");
    return c.json(controlPlane.update(c.req.param("id"), request));
  });

  routes.delete("/:id", (c) => {
    refuseQuery(c.req.url);
    controlPlane.delete(c.req.param("id"));
    return c.body(null, 204);
  });

  routes.get("/:id/revisions", (c) => {
    const query = validate(RevisionsQuerySchema, queryOf(c.req.url), "query");
    return c.json(pageOf(controlPlane.revisions(c.req.param("id")), query));
  });

  routes.get("/:id/revisions/:revisionId", (c) => {
    refuseQuery(c.req.url);
    return c.json(controlPlane.revision(c.req.param("id"), c.req.param("revisionId")));
  });

  return routes;
}
