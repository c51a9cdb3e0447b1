import type { Hints } from "../http/response-error.ts";

export const controlPlaneHints: Hints = {
  urlInput: "control_plane_url",
  notTheApi:
    "The response did not come from the API. Check control_plane_url: a self-hosted control plane is served under /api-host.",
  unexpected:
    "Check that control_plane_url is the base address of the control plane (self-hosted: with its /api-host prefix).",
  byStatus: {
    400: "Check the inputs that the platform's message names.",
    401: "Check api_key: it must be a valid key of the platform at control_plane_url. If it was revoked or has expired, create a new one there and update the secret.",
    403: "Check workspace_id, and that the key in api_key may manage deployments of that workspace.",
    404: "Check control_plane_url (self-hosted: with its /api-host prefix) and workspace_id. If deployment_id is set, check that this deployment still exists.",
    408: "The platform timed out. Try again.",
    409: "This conflicts with the deployment's current state. Try again later. If the name is taken, change name or set deployment_id.",
    413: "The request is too large for the platform. Check secrets and resource_spec.",
    422: "Check the inputs that the platform's message names, and the input platform.",
    429: "The platform limits the number of requests. Try again later.",
  },
  otherwise: "Check control_plane_url, api_key and workspace_id.",
};
