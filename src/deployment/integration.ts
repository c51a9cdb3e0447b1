import { ActionError } from "../errors.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { lacksEndpoint } from "../platform/failures.ts";
import type { Integration } from "../platform/integration-schemas.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { sameRepository } from "./repository.ts";

/** `integration_id` was left out, and not exactly one integration covers the repository. */
export class IntegrationError extends ActionError {
  override readonly name = "IntegrationError";
  readonly hint: string;

  constructor(what: string, hint: string, cause?: unknown) {
    super(what, { cause });
    this.hint = hint;
  }
}

/** The id of the one integration that covers a repository. @throws IntegrationError where it is none or several. */
export async function findIntegration(repoUrl: string, plane: ControlPlane): Promise<string> {
  const integrations = await listIntegrations(plane);
  const covering: Integration[] = [];
  for (const integration of integrations) {
    const repositories = await plane.listIntegratedRepositories(integration.id);
    if (repositories.some((url) => sameRepository(url, repoUrl))) covering.push(integration);
  }
  const [found, ...others] = covering;
  if (found !== undefined && others.length === 0) return found.id;
  const shownUrl = sanitizeExcerpt(repoUrl, 200);
  if (found !== undefined) {
    throw new IntegrationError(
      `Several integrations cover ${shownUrl}: ${spell(covering)}.`,
      "Set integration_id to the one that is to be used.",
    );
  }
  const seen =
    integrations.length === 0 ? "there is none in this workspace" : `found were ${spell(integrations)}`;
  throw new IntegrationError(
    `No integration covers ${shownUrl}; ${seen}.`,
    "Install the platform's GitHub integration for this repository, or set integration_id.",
  );
}

async function listIntegrations(plane: ControlPlane): Promise<Integration[]> {
  try {
    return await plane.listIntegrations();
  } catch (error) {
    if (!lacksEndpoint(error)) throw error;
    throw new IntegrationError(
      "This control plane doesn't list its integrations.",
      "Set integration_id.",
      error,
    );
  }
}

function spell(integrations: readonly Integration[]): string {
  return integrations
    .map(({ id, name }) => sanitizeExcerpt(name === "" ? id : `${name} (${id})`, 120))
    .join(", ");
}
