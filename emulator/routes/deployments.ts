/** `/v2/deployments`: deployments, their revisions and, in a dialect that has them, operations on a revision. */
import { type Context, Hono } from "hono";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { LogQuerySchema, logPageOf } from "../log-pages.ts";
import { pageOf } from "../pages.ts";
import { jsonBody, pathId, queryOf, refuseQuery, validate } from "./validation.ts";

/** The routes, relative to `/v2/deployments`. */
export function deploymentRoutes(controlPlane: ControlPlane, dialect: Dialect): Hono {
  const routes = new Hono();
  const idIn = (c: Context) => pathId(dialect.idSchema, "deployment_id", c.req.param("id"));

  routes.get("/", (c) => {
    const query = validate(dialect.deploymentsQuerySchema, queryOf(c.req.url), "query");
    const found = controlPlane
      .list(query.name_contains)
      .filter(({ name }) => query.name === undefined || name === query.name);
    return c.json(pageOf(found, query));
  });

  routes.post("/", async (c) => {
    refuseQuery(c.req.url);
    const request = validate(dialect.createSchema, await jsonBody(c.req.raw), "body");
    return c.json(controlPlane.create(request), 201);
  });

  routes.get("/:id", (c) => {
    refuseQuery(c.req.url);
    return c.json(controlPlane.read(idIn(c)));
  });

  routes.patch("/:id", async (c) => {
    refuseQuery(c.req.url);
    const request = validate(dialect.updateSchema, await jsonBody(c.req.raw), "body");
    return c.json(controlPlane.update(idIn(c), request));
  });

  routes.delete("/:id", (c) => {
    controlPlane.delete(idIn(c), validate(dialect.deleteQuerySchema, queryOf(c.req.url), "query"));
    return c.body(null, 204);
  });

  routes.get("/:id/revisions", (c) => {
    const query = validate(dialect.revisionsQuerySchema, queryOf(c.req.url), "query");
    const found = controlPlane
      .revisions(idIn(c))
      .filter(({ status }) => query.status?.includes(status) ?? true);
    return c.json(pageOf(found, query));
  });

  routes.get("/:id/revisions/:revisionId", (c) => {
    refuseQuery(c.req.url);
    const revisionId = pathId(dialect.idSchema, "revision_id", c.req.param("revisionId"));
    return c.json(controlPlane.revision(idIn(c), revisionId));
  });

  const { createRevisionSchema } = dialect;
  if (createRevisionSchema !== undefined) {
    routes.post("/:id/revisions", async (c) => {
      refuseQuery(c.req.url);
      const request = validate(createRevisionSchema, await jsonBody(c.req.raw), "body");
      return c.json(controlPlane.createRevision(idIn(c), request), 201);
    });
  }

  if (dialect.hasExtensions) addRevisionOperations(routes, controlPlane, dialect);
  return routes;
}

function addRevisionOperations(routes: Hono, controlPlane: ControlPlane, dialect: Dialect): void {
  const idsIn = (c: Context): [id: string, revisionId: string] => [
    pathId(dialect.idSchema, "deployment_id", c.req.param("id")),
    pathId(dialect.idSchema, "revision_id", c.req.param("revisionId")),
  ];

  routes.post("/:id/upload-url", (c) => {
    refuseQuery(c.req.url);
    return c.json(controlPlane.createUploadUrl(pathId(dialect.idSchema, "deployment_id", c.req.param("id"))));
  });

  routes.post("/:id/push-token", (c) => {
    refuseQuery(c.req.url);
    return controlPlane.createPushToken(pathId(dialect.idSchema, "deployment_id", c.req.param("id")));
  });

  routes.get("/:id/revisions/:revisionId/logs", (c) => {
    const query = validate(LogQuerySchema, queryOf(c.req.url), "query");
    const [id, revisionId] = idsIn(c);
    return c.json(logPageOf(controlPlane.log(id, query.type, revisionId), query));
  });

  routes.post("/:id/revisions/:revisionId/redeploy", (c) => {
    refuseQuery(c.req.url);
    return c.json(controlPlane.redeploy(...idsIn(c)));
  });

  // Descriptions of the API and clients disagree on the name, so an installation may have either or both.
  for (const name of ["interrupt", "interruption"]) {
    routes.post(`/:id/revisions/:revisionId/${name}`, (c) => {
      refuseQuery(c.req.url);
      return c.json(controlPlane.interrupt(...idsIn(c)));
    });
  }
}
