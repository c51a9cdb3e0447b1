/** `/v1/projects`: the logs of deployments, as older clients read them. A project has the id of its deployment. */
import { type Context, Hono } from "hono";
import type * as v from "valibot";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import type { LogType } from "../faults/fault-rule.ts";
import { LogBodySchema, logPageOf } from "../log-pages.ts";
import { jsonBody, pathId, refuseQuery, validate } from "./validation.ts";

/** The routes, relative to `/v1/projects`. */
export function projectLogRoutes(
  controlPlane: ControlPlane,
  idSchema: v.GenericSchema<unknown, string>,
): Hono {
  const routes = new Hono();

  const respond = async (c: Context, type: LogType, revisionId?: string) => {
    refuseQuery(c.req.url);
    const id = pathId(idSchema, "project_id", c.req.param("id"));
    const query = validate(LogBodySchema, await jsonBody(c.req.raw), "body");
    return c.json(logPageOf(controlPlane.log(id, type, revisionId), query));
  };

  for (const type of ["build", "deploy"] as const) {
    routes.post(`/:id/revisions/:revisionId/${type}_logs`, (c) =>
      respond(c, type, pathId(idSchema, "revision_id", c.req.param("revisionId"))),
    );
  }

  routes.post("/:id/deploy_logs", (c) => respond(c, "deploy"));

  return routes;
}
