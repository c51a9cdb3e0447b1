/** Checks of the credentials of a request. */
import type { MiddlewareHandler } from "hono";
import { RefusedError } from "../errors.ts";

export interface Credentials {
  readonly apiKey: string;
  readonly workspaceId: string;
}

/** Requires `X-Api-Key`, else 401. */
export function requireApiKey({ apiKey }: Pick<Credentials, "apiKey">): MiddlewareHandler {
  return async (c, next) => {
    checkApiKey(c.req.header("x-api-key"), apiKey);
    await next();
  };
}

/** Requires `X-Api-Key`, else 401, and `X-Tenant-Id`, else 403. */
export function requireControlPlaneHeaders({ apiKey, workspaceId }: Credentials): MiddlewareHandler {
  return async (c, next) => {
    checkApiKey(c.req.header("x-api-key"), apiKey);
    checkWorkspace(c.req.header("x-tenant-id"), workspaceId);
    await next();
  };
}

/** Requires any bearer token, or both headers. Headers beside a token have to be right. */
export function requireHeadersOrBearer({ apiKey, workspaceId }: Credentials): MiddlewareHandler {
  return async (c, next) => {
    const hasToken = /^Bearer +\S+$/i.test(c.req.header("authorization") ?? "");
    const key = c.req.header("x-api-key");
    const workspace = c.req.header("x-tenant-id");
    if (!hasToken || key !== undefined) checkApiKey(key, apiKey);
    if (!hasToken || workspace !== undefined) checkWorkspace(workspace, workspaceId);
    await next();
  };
}

function checkApiKey(given: string | undefined, apiKey: string): void {
  if (given === undefined) throw new RefusedError(401, "X-Api-Key header is missing.");
  if (given !== apiKey) throw new RefusedError(401, "Invalid API key.");
}

function checkWorkspace(given: string | undefined, workspaceId: string): void {
  if (given === undefined) {
    throw new RefusedError(403, "This API key requires workspace specification: X-Tenant-Id is missing.");
  }
  if (given !== workspaceId) throw new RefusedError(403, "This API key has no access to that workspace.");
}
