import type { Hints } from "../http/hints.ts";

const address =
  "Check that base_url is the address of the usage API, without /api/v1; it may be another host than the control plane.";

export const usageHints: Hints = {
  urlInput: "base_url",
  elsewhere: `That answer did not come from the usage API. ${address}`,
  unexpected: address,
  byStatus: {
    400: "The platform refused what was asked: check start_time, end_time and workspace_ids.",
    401: "Check api_key: it has to be a valid key of the platform that base_url points to.",
    403: "The key in api_key needs the permission organization:read, and read access to the workspaces in workspace_ids.",
    404: `The platform has no usage report there: on a self-hosted installation it may have to be enabled. ${address}`,
    408: "The platform gave up waiting; try again, or ask for a shorter range.",
    414: "That are more workspace_ids than the platform takes at once: split them over several steps.",
    422: "The platform refused these parameters: check the inputs of the same names.",
    429: "The platform limits how often it may be asked; try again later.",
    431: "That are more workspace_ids than the platform takes at once: split them over several steps.",
  },
  otherwise: "Check base_url and api_key.",
};
