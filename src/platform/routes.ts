import type { ApiClient } from "../http/api-client.ts";

/** Addresses below `control_plane_url`, whose path (such as `/api-host`) is kept. */
export function routesBelow(base: URL) {
  const address = (segments: readonly string[], query: Readonly<Record<string, string>> = {}): URL => {
    const url = new URL(base);
    url.pathname = [url.pathname.replace(/\/+$/, ""), ...segments].join("/");
    url.search = new URLSearchParams(query).toString();
    return url;
  };
  const deployment = (id: string, ...below: string[]) =>
    address(["v2", "deployments", pathSegment(id), ...below]);
  const revision = (id: string, revisionId: string, ...below: string[]) =>
    deployment(id, "revisions", pathSegment(revisionId), ...below);
  return {
    deployments: () => address(["v2", "deployments"]),
    deploymentPage(limit: number, offset: number, name?: string): URL {
      const filter = name === undefined ? {} : { name_contains: name };
      return address(["v2", "deployments"], { ...filter, limit: String(limit), offset: String(offset) });
    },
    deployment: (id: string) => deployment(id),
    integrations: () => address(["v1", "integrations", "github", "install"]),
    integratedRepositories: (integrationId: string) =>
      address(["v1", "integrations", "github", pathSegment(integrationId), "repos"]),
    uploadAddress: (id: string) => deployment(id, "upload-url"),
    revisions(id: string, limit: number): URL {
      const url = deployment(id, "revisions");
      url.search = new URLSearchParams({ limit: String(limit) }).toString();
      return url;
    },
    newRevision: (id: string) => deployment(id, "revisions"),
    revision,
    revisionLog(id: string, revisionId: string, query: Readonly<Record<string, string>>): URL {
      const url = revision(id, revisionId, "logs");
      url.search = new URLSearchParams(query).toString();
      return url;
    },
    projectLog: (id: string, revisionId: string, name: string) =>
      address(["v1", "projects", pathSegment(id), "revisions", pathSegment(revisionId), name]),
    provider: (id: string) => address(["v2", "auth", "providers", pathSegment(id)]),
  };
}

/** The API of a control plane. */
export interface PlatformApi {
  readonly client: ApiClient;
  readonly routes: ReturnType<typeof routesBelow>;
}

/** An id as one path segment. It is neither `.` nor `..`: inputs and schemas refuse these. */
function pathSegment(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
