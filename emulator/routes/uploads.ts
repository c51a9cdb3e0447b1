/** `/uploads`: the addresses of `POST /v2/deployments/{id}/upload-url`. They need no key: the token is the credential. */
import { Hono } from "hono";
import type { Uploads } from "../control-plane/uploads.ts";

export const UPLOADS_PATH = "/uploads";

/** Whether the path is that of an upload, whose body may be too large for the memory. */
export function isUpload(path: string): boolean {
  return path.startsWith(`${UPLOADS_PATH}/`);
}

/** The routes, relative to `/uploads`. */
export function uploadRoutes(uploads: Uploads): Hono {
  const routes = new Hono();

  routes.put("/:id", async (c) => {
    const { headers, body } = c.req.raw;
    await uploads.receive({ id: c.req.param("id"), token: c.req.query("token"), headers, body });
    return c.body(null, 200);
  });

  return routes;
}
