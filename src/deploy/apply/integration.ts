import { ActionError } from "../../errors.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import { isUnsupported } from "../../platform/error-kinds.ts";
import type { Integration } from "../../platform/schemas.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { isSameRepository } from "../plan/compare-source.ts";

/** The id of the one integration that covers a repository. @throws ActionError if there is none or there are several */
export async function findIntegration(repoUrl: string, controlPlane: ControlPlane): Promise<string> {
  const integrations = await listIntegrations(controlPlane);
  const covering: Integration[] = [];
  for (const integration of integrations) {
    const urls = await controlPlane.listIntegratedRepositories(integration.id);
    if (urls.some((url) => isSameRepository(url, repoUrl))) covering.push(integration);
  }
  const [found, ...others] = covering;
  if (found !== undefined && others.length === 0) return found.id;
  const repository = sanitizeExcerpt(repoUrl, 200);
  if (found !== undefined) {
    throw integrationError(
      `Several integrations cover ${repository}: ${describe(covering)}.`,
      "Set integration_id to the one to use.",
    );
  }
  const seen = integrations.length === 0 ? "The workspace has none." : `Found: ${describe(integrations)}.`;
  throw integrationError(
    `No integration covers ${repository}. ${seen}`,
    "Install the platform's GitHub integration for this repository, or set integration_id.",
  );
}

async function listIntegrations(controlPlane: ControlPlane): Promise<Integration[]> {
  try {
    return await controlPlane.listIntegrations();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    throw integrationError(
      "This control plane does not list its integrations.",
      "Set integration_id.",
      error,
    );
  }
}

function integrationError(message: string, hint: string, cause?: Error): ActionError {
  return new ActionError(message, { code: "integration", hint, cause });
}

function describe(integrations: readonly Integration[]): string {
  return integrations
    .map(({ id, name }) => sanitizeExcerpt(name === "" ? id : `${name} (${id})`, 120))
    .join(", ");
}
