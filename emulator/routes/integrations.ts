/** `/v1/integrations`: the integrations with GitHub, and the repositories that each of them covers. */
import { Hono } from "hono";
import type * as v from "valibot";
import { RefusedError } from "../errors.ts";
import { pathId, refuseQuery } from "./validation.ts";

export interface Integration {
  /** A UUID. */
  readonly id: string;
  /** The account that it belongs to. */
  readonly name: string;
  /** URLs. */
  readonly repositories: readonly string[];
}

/** The only integration by default. */
export const SAMPLE_INTEGRATION: Integration = {
  id: "00000000-0000-4000-8000-000000000002",
  name: "octo-org",
  repositories: ["https://github.com/octo-org/octo-repo"],
};

/** The routes, relative to `/v1/integrations`. */
export function integrationRoutes(
  integrations: readonly Integration[],
  idSchema: v.GenericSchema<unknown, string>,
): Hono {
  const routes = new Hono();

  routes.get("/github/install", (c) => {
    refuseQuery(c.req.url);
    return c.json(integrations.map(({ id, name }, index) => ({ id, installation_id: index + 1, name })));
  });

  routes.get("/github/:id/repos", (c) => {
    refuseQuery(c.req.url);
    const id = pathId(idSchema, "integration_id", c.req.param("id"));
    const found = integrations.find((one) => one.id === id);
    if (found === undefined) throw new RefusedError(404, `Integration ${id} not found.`);
    return c.json(repositoryViews(found));
  });

  return routes;
}

function repositoryViews({ id, repositories }: Integration) {
  return repositories.map((url, index) => {
    const [owner = "", name = ""] = new URL(url).pathname.replace(/^\//, "").split("/");
    return {
      host_integration_id: id,
      id: index + 1,
      name: name.replace(/\.git$/, ""),
      owner,
      url,
      default_branch: "main",
    };
  });
}
