/** Requests about OAuth providers → responses (platform-api, "Auth service"). */
import type { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import { ProviderUpdateRequestSchema } from "../../src/oauth-provider/schemas.ts";
import { jsonBody, refuseQuery, validate } from "../validation.ts";
import { updateProvider } from "./provider-store.ts";

/**
 * The routes, relative to `/v2/auth/providers`.
 * @param now milliseconds since the epoch
 */
export function providerRoutes(database: DatabaseSync, now: () => number): Hono {
  const routes = new Hono();

  routes.patch("/:providerId", async (c) => {
    refuseQuery(c.req.url);
    const request = validate(ProviderUpdateRequestSchema, await jsonBody(c.req.raw), "body");
    return c.json(updateProvider(database, c.req.param("providerId"), request, now()));
  });

  return routes;
}
