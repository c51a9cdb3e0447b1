import { createHmac } from "node:crypto";
import type { ControlPlaneSettings } from "../../platform/control-plane-settings.ts";
import type { DesiredDeployment } from "../../platform/desired-deployment.ts";
import { nameOrIdOf } from "../../platform/target.ts";
import { canonicalJson } from "../../text/json.ts";
import type { DeployPlan } from "./plan.ts";

/** Hexadecimal digits: 128 bits, so that two requests never share a digest by chance. */
const digestLength = 32;

/**
 * Returns a digest of the target, the workspace, the archive, and what an update sends: what only a create sends can't change
 * later. The order of fields and of secrets does not matter.
 *
 * It covers the secrets, and is kept in a public record. So it is keyed with the API key: a plain hash would let anyone find a
 * short secret by trying.
 */
export function requestDigest(
  { target, desired }: Pick<DeployPlan, "target" | "desired">,
  { apiKey, workspaceId, platform }: Pick<ControlPlaneSettings, "apiKey" | "workspaceId" | "platform">,
  archiveDigest?: string,
): string {
  const update = platform.updateRequests(withSortedSecrets(desired));
  const canonical = canonicalJson({ workspaceId, target: nameOrIdOf(target), update, archiveDigest });
  return createHmac("sha256", apiKey).update(canonical).digest("hex").slice(0, digestLength);
}

function withSortedSecrets(desired: DesiredDeployment): DesiredDeployment {
  const variables = [...desired.secrets, ...desired.envVars];
  return { ...desired, secrets: variables.toSorted((a, b) => (a.name < b.name ? -1 : 1)), envVars: [] };
}
