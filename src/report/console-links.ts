import { wasRedacted } from "../text/redact.ts";
import type { RunFacts } from "./facts.ts";
import type { Renderer } from "./renderer.ts";

/**
 * Markdown links to the deployment's page and, if it is live, to Studio; undefined on a host whose console is not known. The
 * page belongs to the workspace that the platform names, or else to the one of the input.
 */
export function consoleCell(facts: RunFacts, isLive: boolean, render: Renderer): string | undefined {
  const { consoleLinks, deploymentId = "", tenantId = consoleLinks?.workspaceId ?? "", url } = facts;
  if (consoleLinks === undefined || ![tenantId, deploymentId].every((id) => isPlainId(render.value(id)))) {
    return undefined;
  }
  const page = new URL(`/o/${tenantId}/host/deployments/${deploymentId}`, consoleLinks.url);
  const pageLink = `[deployment](<${page.href}>)`;
  if (!isLive || url === undefined || wasRedacted(render.value(url))) return pageLink;
  const studio = new URL("/studio/", consoleLinks.url);
  studio.searchParams.set("baseUrl", url);
  return `${pageLink}, [Studio](<${studio.href}>)`;
}

/** Any other ID would lead elsewhere, or was redacted. */
function isPlainId(id: string): boolean {
  return /^[\w-]+$/.test(id);
}
