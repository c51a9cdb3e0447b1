import { createHmac } from "node:crypto";
import type { ControlPlaneSettings } from "../../platform/control-plane-settings.ts";
import type { CreateRequest, UpdateRequest } from "../../platform/schemas.ts";
import { canonicalJson } from "../../text/json.ts";
import type { DeployPlan } from "./plan.ts";

/** Hexadecimal digits: 128 bits, so that two requests never share a digest by chance. */
const digestLength = 32;

/**
 * Returns a digest of the planned requests, the workspace and the archive. The order of fields and of secrets does not matter.
 *
 * It covers the secrets, and is kept in a public record. So it is keyed with the API key: a plain hash would let anyone find a
 * short secret by trying.
 */
export function requestDigest(
  { create, update }: Pick<DeployPlan, "create" | "update">,
  { apiKey, workspaceId }: Pick<ControlPlaneSettings, "apiKey" | "workspaceId">,
  archiveDigest?: string,
): string {
  const request = { create: withSortedSecrets(create), update: withSortedSecrets(update) };
  const text = canonicalJson({ workspace: workspaceId, ...request, archiveDigest });
  return createHmac("sha256", apiKey).update(text).digest("hex").slice(0, digestLength);
}

function withSortedSecrets<T extends CreateRequest | UpdateRequest>(request: T): T {
  if (request.secrets === undefined) return request;
  return { ...request, secrets: request.secrets.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}
