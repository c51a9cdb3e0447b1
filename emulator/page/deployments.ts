/** The list of deployments. */
import type { DeploymentSnapshot } from "../control-plane/control-plane.ts";
import { pageOf } from "../pages.ts";
import { ago, type Html, html, link, pager, shortId, statusBadge, type View } from "./html.ts";
import type { PageContext } from "./page-context.ts";

const PER_PAGE = 50;

/** The deployments whose name contains the text, the newest first. */
export function deploymentsView(
  { controlPlane, now }: PageContext,
  { name, offset }: { name: string; offset: number },
): View {
  const all = controlPlane.snapshot().toReversed();
  const found = all.filter((one) => one.name.includes(name));
  const { resources } = pageOf(found, { limit: PER_PAGE, offset });
  const place = { offset, shown: resources.length, total: found.length };
  const main = html`<h1>Deployments</h1>
    ${all.length > 1 && filterForm(name)}
    ${
      resources.length === 0
        ? html`<p class="empty">${all.length === 0 ? "Nothing is deployed yet." : "No deployment has such a name."}</p>`
        : html`<table class="cards">
          <thead><tr><th scope="col">Name</th><th scope="col">Status</th><th scope="col">Live revision</th>
            <th scope="col">Since</th><th scope="col">URL</th></tr></thead>
          <tbody>${resources.map((one) => row(one, now()))}</tbody>
        </table>`
    }
    ${pager(place, (next) => `/?${new URLSearchParams({ name, offset: String(next) })}`)}`;
  return { title: "Deployments", main, isLive: true };
}

function filterForm(name: string): Html {
  return html`<form class="filter" role="search"><label for="name">Name contains</label>
    <input id="name" name="name" type="search" value="${name}"> <button>Filter</button></form>`;
}

function row(
  { id, name, status, url, revisions, active_revision_id }: DeploymentSnapshot,
  now: number,
): Html {
  const live = revisions.find((one) => one.id === active_revision_id);
  return html`<tr id="d-${id}">
    <th scope="row"><a href="/page/deployments/${id}"><bdi>${name}</bdi></a></th>
    <td data-label="Status">${statusOf(status, revisions[0]?.status)}</td>
    <td data-label="Live revision">${live === undefined ? "none" : html`<code>${shortId(live.id)}</code>`}</td>
    <td data-label="Since">${live === undefined ? "" : ago(live.updated_at, now)}</td>
    <td data-label="URL">${url === null ? "" : link(url)}</td>
  </tr>`;
}

/** The status of the newest revision is that of the deployment, unless it is being deleted. */
export function statusOf(status: string, newest: string | undefined): Html {
  return statusBadge(status === "READY" ? (newest ?? "NO REVISION") : status);
}
