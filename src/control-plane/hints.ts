/** What to look at after a bad answer of one API, naming the inputs of the actions that talk to it. */
export interface Hints {
  /** The input that holds the API's address. */
  readonly urlInput: string;
  /** For an answer that didn't come from the API. */
  readonly elsewhere: string;
  /** For a success that isn't what the API describes. */
  readonly unexpected: string;
  readonly byStatus: Readonly<Record<number, string>>;
  /** For every other status below 500. */
  readonly otherwise: string;
}

export const controlPlaneHints: Hints = {
  urlInput: "control_plane_url",
  elsewhere:
    "That answer did not come from the API: check control_plane_url (a self-hosted control plane is served under /api-host).",
  unexpected:
    "Check that control_plane_url is the base address of the control plane (self-hosted: with its /api-host prefix).",
  byStatus: {
    400: "The platform refused what was sent: check the inputs that its words name.",
    401: "Check api_key: it has to be a valid key of the platform that control_plane_url points to.",
    403: "Check workspace_id, and that the key in api_key may manage deployments of that workspace.",
    404: "Check deployment_id and workspace_id: it may have been deleted, or belong to another workspace. If nothing is found at all, check control_plane_url (self-hosted: with its /api-host prefix).",
    408: "The platform gave up waiting; try again.",
    409: "The platform says that this conflicts with what is there: try again when it has settled; if the name is taken, check name, or update by deployment_id.",
    413: "What was sent is too large for the platform: check secrets and resource_spec.",
    422: "The platform refused what was sent: check the inputs of the names that it gives, and that platform is right.",
    429: "The platform limits how often it may be asked; try again later.",
  },
  otherwise: "Check control_plane_url, api_key and workspace_id.",
};

/** The hints where `region` stood for the address: whoever belongs to another region isn't known there. */
export function hintsInRegion(hints: Hints, region: string | undefined): Hints {
  if (region === undefined) return hints;
  const note = `As ${hints.urlInput} isn't given, the host is that of region ${region}: set region if key and workspace are of another one.`;
  const { 401: unknownKey, 403: forbidden } = hints.byStatus;
  const byStatus = { ...hints.byStatus, 401: `${unknownKey} ${note}`, 403: `${forbidden} ${note}` };
  return { ...hints, byStatus };
}

/** What a user should look at after an answer of this HTTP status; `json` tells whether the API itself gave it. */
export function hintFor(status: number, json: boolean, hints: Hints = controlPlaneHints): string {
  if (status >= 300 && status < 400) {
    return `Set ${hints.urlInput} to the API's final address: redirects are not followed, because the key would go to the other host.`;
  }
  if (!json && (status === 404 || status === 405)) return hints.elsewhere;
  if (status >= 500)
    return "The platform had a problem of its own; try again, and look at its status page if it stays.";
  return hints.byStatus[status] ?? hints.otherwise;
}
