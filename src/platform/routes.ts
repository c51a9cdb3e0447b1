import { ActionError } from "../errors.ts";

/** An id that would leave its place in the path. */
export class PathSegmentError extends ActionError {
  override readonly name = "PathSegmentError";
  readonly hint = "Check deployment_id, and that control_plane_url is the control plane's address.";

  constructor() {
    super('An id is "." or ".." or empty, and can\'t stand in an address.');
  }
}

/**
 * Addresses below `control_plane_url`, whose path (such as `/api-host`) is kept (platform-api, Authentication 4).
 * An id is one encoded segment; `.` and `..` are refused because URL parsers resolve them even when encoded.
 *
 * @throws PathSegmentError
 */
export function routesBelow(base: URL) {
  const address = (...segments: string[]): URL => {
    const url = new URL(base);
    url.pathname = [url.pathname.replace(/\/+$/, ""), ...segments].join("/");
    return url;
  };
  const deployment = (id: string) => address("v2", "deployments", segment(id));
  const revision = (id: string, revisionId: string, ...below: string[]) =>
    address("v2", "deployments", segment(id), "revisions", segment(revisionId), ...below);
  return {
    deployments: () => address("v2", "deployments"),
    deploymentsNamed(name: string, page: { limit: number; offset: number }): URL {
      const url = address("v2", "deployments");
      url.search = new URLSearchParams({
        name_contains: name,
        limit: String(page.limit),
        offset: String(page.offset),
      }).toString();
      return url;
    },
    deployment,
    integrations: () => address("v1", "integrations", "github", "install"),
    integratedRepositories: (integrationId: string) =>
      address("v1", "integrations", "github", segment(integrationId), "repos"),
    revisions: (id: string) => address("v2", "deployments", segment(id), "revisions"),
    revision,
    revisionLog(id: string, revisionId: string, query: Readonly<Record<string, string>>): URL {
      const url = revision(id, revisionId, "logs");
      url.search = new URLSearchParams(query).toString();
      return url;
    },
    provider: (id: string) => address("v2", "auth", "providers", segment(id)),
  };
}

/** An id as one path segment. @throws PathSegmentError */
export function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw new PathSegmentError();
  return encodeURIComponent(id.toWellFormed());
}
