/** The operations beyond platform-api: requests → responses (platform-field-notes, "Endpoints beyond platform-api"). */
import { Hono } from "hono";
import { RefusedError } from "../errors.ts";
import type { ExtraParts, ExtraRoutes } from "../platform.ts";
import { pathId, queryOf, refuseQuery, validate } from "../validation.ts";
import { type Integration, integrationViews, repositoryViews } from "./integrations.ts";
import { liveRoutes } from "./live.ts";
import { LogQuerySchema, UuidSchema } from "./requests.ts";
import { logPage } from "./revision-log.ts";

/** The operations over these parts; each throws RefusedError or InvalidRequestError, which the application answers. */
export function extraRoutes(parts: ExtraParts): ExtraRoutes {
  return {
    deployments: revisionRoutes(parts.revisions),
    integrations: integrationRoutes(parts.integrations),
    live: liveRoutes(parts),
  };
}

function revisionRoutes(revisions: ExtraParts["revisions"]): Hono {
  const routes = new Hono();

  routes.get("/:id/revisions/:revisionId/logs", (c) => {
    const query = validate(LogQuerySchema, queryOf(c.req.url), "query");
    return c.json(logPage(revisions.logged(...idsIn(c.req), query.type), query));
  });

  routes.post("/:id/revisions/:revisionId/redeploy", (c) => {
    refuseQuery(c.req.url);
    return c.json(revisions.redeploy(...idsIn(c.req)));
  });

  // One copy of the description calls it `interrupt`, clients call `interruption`: an installation has one or both.
  for (const name of ["interrupt", "interruption"]) {
    routes.post(`/:id/revisions/:revisionId/${name}`, (c) => {
      refuseQuery(c.req.url);
      return c.json(revisions.interrupt(...idsIn(c.req)));
    });
  }

  return routes;
}

function idsIn(request: { param(name: string): string | undefined }): [id: string, revisionId: string] {
  return [
    pathId(UuidSchema, "deployment_id", request.param("id")),
    pathId(UuidSchema, "revision_id", request.param("revisionId")),
  ];
}

function integrationRoutes(integrations: readonly Integration[]): Hono {
  const routes = new Hono();

  routes.get("/github/install", (c) => {
    refuseQuery(c.req.url);
    return c.json(integrationViews(integrations));
  });

  routes.get("/github/:id/repos", (c) => {
    refuseQuery(c.req.url);
    const id = pathId(UuidSchema, "integration_id", c.req.param("id"));
    const found = integrations.find((one) => one.id === id);
    if (found === undefined) throw new RefusedError(404, `Integration ${id} not found.`);
    return c.json(repositoryViews(found));
  });

  return routes;
}
