import { titledLink } from "../../text/markdown.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";

/** Returns the deployment's page on the platform; undefined on a host whose console is not known. */
export function platformPage(state: RunState, render: Renderer): URL | undefined {
  const { consolePage, deployment } = state;
  if (consolePage === undefined || deployment === undefined) return undefined;
  const { id, tenantId = consolePage.workspaceId } = deployment;
  // Other characters in an ID could lead elsewhere, or stand for a redacted secret.
  const arePlain = [tenantId, id].every((part) => /^[\w-]+$/.test(render.forPrograms(part)));
  return arePlain ? new URL(`/o/${tenantId}/host/deployments/${id}`, consolePage.url) : undefined;
}

/** Returns links to the deployment's page and, if a revision is live, to Studio; undefined if its page is not known. */
export function consoleCell(state: RunState, render: Renderer): string | undefined {
  const page = platformPage(state, render);
  if (page === undefined) return undefined;
  const deployment = titledLink(page, "deployment");
  const url = state.deployment?.url;
  if (url === undefined || state.liveRevisionId === undefined) return deployment;
  const studio = new URL("/studio/", page);
  studio.searchParams.set("baseUrl", render.forPrograms(url));
  return `${deployment}, ${titledLink(studio, "Studio")}`;
}
