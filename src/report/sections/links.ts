import { titledLink } from "../../text/markdown.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";

/** The deployment's page on the platform; undefined on a host whose console is not known. */
export function platformPage(state: RunState, render: Renderer): URL | undefined {
  const { consoleUrl, deploymentId = "", tenantId = "" } = state;
  // Any other ID would lead elsewhere, or was redacted.
  const arePlain = [tenantId, deploymentId].every((id) => /^[\w-]+$/.test(render.value(id)));
  if (consoleUrl === undefined || !arePlain) return undefined;
  return new URL(`/o/${tenantId}/host/deployments/${deploymentId}`, consoleUrl);
}

/** Markdown links to the deployment's page and, if a revision is live, to Studio; undefined if its page is not known. */
export function consoleCell(state: RunState, render: Renderer): string | undefined {
  const page = platformPage(state, render);
  if (page === undefined) return undefined;
  const studio = state.liveRevisionId === undefined ? undefined : studioLink(state, state.url, render);
  return `${titledLink(page, "deployment")}${studio === undefined ? "" : `, ${studio}`}`;
}

/** A Markdown link to the page of an agent's graphs and threads; undefined on a host whose console is not known. */
export function studioLink(
  { consoleUrl }: RunState,
  url: string | undefined,
  render: Renderer,
): string | undefined {
  if (consoleUrl === undefined || url === undefined) return undefined;
  const studio = new URL("/studio/", consoleUrl);
  studio.searchParams.set("baseUrl", render.value(url));
  return titledLink(studio, "Studio");
}
