import { type BadResponse, type HintFor, moreTimeHint } from "../http/request-error.ts";
import { isRedirect, isSuccessful, isUnauthorized } from "../http/response.ts";
import { code, inputName, joined, type Message, type Phrase, text } from "../text/message.ts";
import type { RegionName } from "./regions.ts";

/** The advice after a failed request of one API. It names the inputs of the actions that use this API. */
export interface Hints {
  /** The input that holds the API's address. */
  readonly urlName: Phrase;
  /** For a response that another server sent, or that the API does not describe. */
  readonly notTheApi: Message;
  /** By status. A status that is missing here may have a hint that all APIs share. */
  readonly byStatus: Readonly<Record<number, Message>>;
  /** For a status below 500 without any other hint. */
  readonly otherwise: Message;
}

/** Returns the hints of an API. `region`: the one that chose its address. */
export function createHintFor(hints: Hints, region: RegionName | undefined): HintFor {
  const { urlName, notTheApi } = hints;
  return (reason, connectionHint) => {
    if (reason.kind === "timeout") return moreTimeHint(connectionHint);
    if (reason.kind !== "response") return text`Check ${urlName}. ${connectionHint}`;
    const hint = responseHint(hints, reason);
    if (!isUnauthorized(reason.status)) return hint;
    return joined([hint, reason.isFromApi ? regionHint(urlName, region) : notTheApi]);
  };
}

function responseHint(
  { urlName, notTheApi, byStatus, otherwise }: Hints,
  { status, isFromApi }: BadResponse,
): Message {
  if (isSuccessful(status) || (!isFromApi && [404, 405].includes(status))) return notTheApi;
  if (isRedirect(status)) {
    return text`Set ${urlName} to the API's final address. Redirects are not followed, because the key would go to the other host.`;
  }
  if (status >= 500) {
    return text`The platform, or a proxy before it, had a problem. Try again, and check the platform's status page if it persists.`;
  }
  return byStatus[status] ?? commonHints[status] ?? otherwise;
}

/** Returns the hint for a refused key: those of other regions are unknown in this one. */
function regionHint(urlName: Phrase, region: RegionName | undefined): Message | undefined {
  if (region === undefined) return undefined;
  return text`${urlName} is not set, so the host of region ${code(region)} is used: set ${inputName("region")} if the key and workspace belong to another one.`;
}

const namedInputsHint = text`Check the inputs that the platform's message names.`;

const commonHints: Hints["byStatus"] = {
  400: namedInputsHint,
  422: namedInputsHint,
  429: text`The platform limits the number of requests. Try again later.`,
};

const urlInput = inputName("control_plane_url");

/** The inputs that determine where a deployment is searched. */
export const urlInputs = text`${urlInput} (or ${inputName("region")}) and ${inputName("workspace_id")}`;

export const controlPlaneHints: Hints = {
  urlName: urlInput,
  notTheApi: text`Check that ${urlInput} is the base address of the control plane (self-hosted: with its ${code("/api-host")} prefix).`,
  byStatus: {
    401: text`The platform refused ${inputName("api_key")}. Check that it is a valid key for the platform at ${urlInput}. If it has expired or was revoked, create a new one there and update the secret.`,
    403: text`Check ${inputName("workspace_id")}, and that the key in ${inputName("api_key")} may manage deployments of that workspace.`,
    404: text`Check that the deployment still exists, and check ${urlInput} (self-hosted: with its ${code("/api-host")} prefix) and ${inputName("workspace_id")}.`,
    409: text`This conflicts with the deployment's current state. Try again later.`,
    413: text`The request is too large for the platform. Check ${inputName("secrets")} and ${inputName("resource_spec")}.`,
    422: text`Check the inputs that the platform's message names, and the input ${inputName("platform")}.`,
  },
  otherwise: text`Check ${urlInput}, ${inputName("api_key")} and ${inputName("workspace_id")}.`,
};
