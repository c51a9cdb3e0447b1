import type { Hints } from "../http/hints.ts";

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
    404: "Nothing of the kind is found there: check control_plane_url (self-hosted: with its /api-host prefix), workspace_id, and deployment_id if it is given; what it names may have been deleted.",
    408: "The platform gave up waiting; try again.",
    409: "The platform says that this conflicts with what is there: try again when it has settled; if the name is taken, check name, or update by deployment_id.",
    413: "What was sent is too large for the platform: check secrets and resource_spec.",
    422: "The platform refused what was sent: check the inputs of the names that it gives, and the input platform.",
    429: "The platform limits how often it may be asked; try again later.",
  },
  otherwise: "Check control_plane_url, api_key and workspace_id.",
};
