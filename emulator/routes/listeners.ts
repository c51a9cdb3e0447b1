/** `/v2/listeners`: the listeners of the workspace. */
import { Hono } from "hono";
import * as v from "valibot";
import type { Listener } from "../dialects/dialect.ts";
import { RefusedError } from "../errors.ts";
import { pageEntries, pageOf } from "../pages.ts";
import { pathId, queryOf, refuseQuery, validate } from "./validation.ts";

/** The routes, relative to `/v2/listeners`. */
export function listenerRoutes(
  listeners: readonly Listener[],
  idSchema: v.GenericSchema<unknown, string>,
): Hono {
  const routes = new Hono();
  const views = listeners.map(viewOf);

  routes.get("/", (c) => {
    const query = validate(v.strictObject(pageEntries), queryOf(c.req.url), "query");
    return c.json(pageOf(views, query));
  });

  routes.get("/:id", (c) => {
    refuseQuery(c.req.url);
    const id = pathId(idSchema, "listener_id", c.req.param("id"));
    const found = views.find((one) => one.id === id);
    if (found === undefined) throw new RefusedError(404, `Listener ${id} not found.`);
    return c.json(found);
  });

  return routes;
}

const STARTED_AT = "2026-01-05T00:00:00.000Z";

function viewOf({ id, namespaces }: Listener, index: number) {
  return {
    id,
    version: null,
    compute_type: "k8s",
    compute_id: `cluster-${index + 1}`,
    compute_config: { k8s_namespaces: namespaces },
    created_at: STARTED_AT,
    updated_at: STARTED_AT,
  };
}
