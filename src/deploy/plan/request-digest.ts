import { createHmac } from "node:crypto";
import type { DesiredDeployment } from "../../platform/desired-deployment.ts";
import { nameOrIdOf } from "../../platform/target.ts";
import { canonicalJson } from "../../text/json.ts";
import type { DeployContext } from "../deploy-context.ts";

/** Hexadecimal digits: 128 bits, so that two requests never share a digest by chance. */
const digestLength = 32;

/**
 * Returns a digest of the target, the workspace, the archive, and what an update sends: what only a create sends can't change
 * later. The order of fields and of secrets does not matter.
 *
 * It covers the secrets, and is kept in a public record. So it is keyed with the API key: a plain hash would let anyone find a
 * short secret by trying.
 */
export function requestDigest({
  plan,
  settings,
  archive,
}: Pick<DeployContext, "plan" | "settings" | "archive">): string {
  const { apiKey, workspaceId, platform } = settings;
  const target = nameOrIdOf(plan.target);
  const update = platform.updateRequests(withSortedSecrets(plan.desired));
  const canonical = canonicalJson({ workspaceId, target, update, archiveDigest: archive?.digest });
  return createHmac("sha256", apiKey).update(canonical).digest("hex").slice(0, digestLength);
}

function withSortedSecrets(desired: DesiredDeployment): DesiredDeployment {
  const variables = [...desired.secrets, ...desired.envVars];
  return { ...desired, secrets: variables.toSorted((a, b) => (a.name < b.name ? -1 : 1)), envVars: [] };
}
