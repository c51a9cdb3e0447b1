import { wasRedacted } from "../text/redact.ts";
import type { RunState } from "./run-state.ts";

/**
 * Markdown links to the deployment's page and, if it is live, to Studio; undefined on a host whose pages are not known.
 * The page belongs to the workspace that the platform names, or else to the one of the input.
 */
export function platformLinks(state: RunState, isLive: boolean): string | undefined {
  const { site, deploymentId = "", tenantId = site?.workspaceId ?? "", url } = state;
  if (site === undefined || !isPlainId(tenantId) || !isPlainId(deploymentId)) return undefined;
  const page = new URL(`/o/${tenantId}/host/deployments/${deploymentId}`, site.url);
  const pageLink = `[deployment](<${page.href}>)`;
  if (!isLive || url === undefined || wasRedacted(url)) return pageLink;
  const studio = new URL("/studio/", site.url);
  studio.searchParams.set("baseUrl", url);
  return `${pageLink}, [Studio](<${studio.href}>)`;
}

/** Any other id would lead elsewhere, or was redacted. */
function isPlainId(id: string): boolean {
  return /^[\w-]+$/.test(id);
}
