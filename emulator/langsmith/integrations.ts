/** Integrations with a code host, and the repositories that each of them covers. */

export interface Integration {
  /** A UUID. */
  readonly id: string;
  /** Whose account it is in. */
  readonly name: string;
  /** The addresses of the repositories it covers. */
  readonly repositories: readonly string[];
}

/** What there is unless told otherwise. */
export const SAMPLE_INTEGRATION: Integration = {
  id: "00000000-0000-4000-8000-000000000002",
  name: "octo-org",
  repositories: ["https://github.com/octo-org/octo-repo"],
};

/** GET /v1/integrations/github/install */
export function integrationViews(integrations: readonly Integration[]) {
  return integrations.map(({ id, name }, index) => ({ id, installation_id: index + 1, name }));
}

/** GET /v1/integrations/github/{integration_id}/repos */
export function repositoryViews({ id, repositories }: Integration) {
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
