/** A deployment: its revisions with their logs, and its agent. */
import { stripVTControlCharacters } from "node:util";
import type { DeploymentSnapshot } from "../control-plane/control-plane.ts";
import type { RevisionHistory } from "../control-plane/inspection.ts";
import type { RevisionView } from "../dialects/views.ts";
import { RefusedError } from "../errors.ts";
import type { LogType } from "../faults/fault-rule.ts";
import { pageOf } from "../pages.ts";
import { statusOf } from "./deployments.ts";
import {
  ago,
  classOf,
  formatDuration,
  type Html,
  html,
  link,
  pager,
  shortId,
  statusBadge,
  type View,
} from "./html.ts";
import type { PageContext } from "./page-context.ts";
import type { Question, Questions } from "./questions.ts";

const PER_PAGE = 10;
/** How many lines of its logs the newest revision shows, and each earlier one. */
const [NEWEST_LINES, EARLIER_LINES] = [200, 20];
const LOG_TITLES = { build: "Build log", deploy: "Server log" } as const;

/** @throws {RefusedError} 404 */
export function findDeployment({ controlPlane }: PageContext, id: string): DeploymentSnapshot {
  const [found] = controlPlane.snapshot(id);
  if (found === undefined) throw new RefusedError(404, "There is no such deployment, or no longer.");
  return found;
}

/** @throws {RefusedError} 404 */
export function deploymentPage(
  context: PageContext,
  questions: Questions,
  { id, offset }: { id: string; offset: number },
): View {
  const deployment = findDeployment(context, id);
  const { name, status, url, revisions, active_revision_id: liveId } = deployment;
  const isOlderLive = liveId !== null && liveId !== revisions[0]?.id;
  const histories = context.inspection.histories(id);
  const { resources } = pageOf(revisions, { limit: PER_PAGE, offset });
  const place = { offset, shown: resources.length, total: revisions.length };
  const main = html`<p class="crumbs"><a href="/">Deployments</a></p>
    <header class="title"><h1><bdi>${name}</bdi></h1> ${statusOf(status, revisions[0]?.status)}
      ${isOlderLive && html`<strong class="live">live: ${shortId(liveId)}</strong>`}
      ${status === "READY" && html`<a class="button" href="/page/deployments/${id}/delete">Delete…</a>`}</header>
    ${factsOf(deployment, context.now())}
    <section aria-labelledby="ask"><h2 id="ask">Ask the agent</h2>
      ${url === null ? html`<p class="empty">No revision is live yet.</p>` : askForm(id, questions.of(id))}</section>
    <section aria-labelledby="revisions"><h2 id="revisions">Revisions</h2>
      ${revisions.length === 0 && html`<p class="empty">There is none before a source is uploaded.</p>`}
      ${resources.map((revision) => revisionArticle(context, deployment, revision, histories.get(revision.id)))}
      ${pager(place, (next) => `/page/deployments/${id}?offset=${next}`)}</section>`;
  return { title: name, main, isLive: true };
}

function factsOf(
  { id, url, source, source_config, secrets, created_at }: DeploymentSnapshot,
  now: number,
): Html {
  const names = secrets.map(({ name }) => html`<li><code>${name}</code></li>`);
  const { repo_url: repository } = source_config;
  return html`<dl class="facts">
    <div><dt>URL</dt><dd>${url === null ? "none before a revision is live" : link(url)}</dd></div>
    <div><dt>Source</dt><dd>${typeof repository === "string" ? link(repository) : source}</dd></div>
    <div><dt>Secrets</dt><dd>${names.length === 0 ? "none" : html`<ul class="names">${names}</ul>`}</dd></div>
    <div><dt>Created</dt><dd>${ago(created_at, now)}</dd></div>
    <div><dt>ID</dt><dd><code>${id}</code></dd></div>
  </dl>`;
}

const EXAMPLE = '{ "messages": [{ "role": "user", "content": "Hello" }] }';

function askForm(id: string, asked: readonly Question[]): Html {
  const { graph, path, input } = asked[0] ?? { graph: "agent", path: "", input: EXAMPLE };
  return html`<div class="ask"><form method="post" action="/page/deployments/${id}/ask">
      <div class="pair"><p><label for="graph">Graph</label><input id="graph" name="graph" value="${graph}"></p>
        <p><label for="path">or path</label><input id="path" name="path" value="${path}" placeholder="/ok"></p></div>
      <p><label for="input">Input as JSON</label>
        <textarea id="input" name="input" rows="5" spellcheck="false">${input}</textarea></p>
      <button class="main">Ask</button>
    </form>
    <ol class="answers" aria-label="Answers">${asked.map(answerItem)}</ol></div>`;
}

function answerItem({ graph, path, input, at, tookMs, status, answer }: Question, index: number): Html {
  const result =
    tookMs === undefined ? "Waiting …" : `${status ?? "No response"} after ${formatDuration(tookMs)}`;
  return html`<li id="q-${at}"><details ${index === 0 && "open"}>
    <summary><code>${path || graph}</code> <span class="${status === 200 ? "good" : "note"}">${result}</span></summary>
    <pre>${input}</pre>${answer !== undefined && html`<pre class="answer">${answer}</pre>`}</details></li>`;
}

function revisionArticle(
  context: PageContext,
  deployment: DeploymentSnapshot,
  revision: RevisionView,
  history: RevisionHistory | undefined,
): Html {
  const { id, status, created_at } = revision;
  if (history === undefined) return html``;
  const isNewest = deployment.revisions[0]?.id === id;
  const isLive = deployment.active_revision_id === id;
  const operation = history.hasEnded ? "redeploy" : "interrupt";
  return html`<article id="r-${id}" aria-labelledby="h-${id}">
    <header class="title"><h3 id="h-${id}"><code title="${id}">${shortId(id)}</code></h3> ${statusBadge(status)}
      ${isLive && html`<strong class="live">live</strong>`} ${ago(created_at, context.now())}
      ${
        deployment.status === "READY" &&
        html`<form method="post" action="/page/deployments/${deployment.id}/revisions/${id}/${operation}">
        <button>${history.hasEnded ? "Redeploy" : "Interrupt"}<span class="aside"> ${shortId(id)}</span></button></form>`
      }
    </header>
    <p class="source">${sourceOf(revision, history.commit)}</p>
    ${statusBar(history)}
    ${history.reason !== null && html`<p class="reason">${history.reason}</p>`}
    ${(["build", "deploy"] as const).map((type) => logDetails(context, { deployment, revision, type, isNewest }))}
  </article>`;
}

function sourceOf({ source, source_revision_config: config }: RevisionView, commit: string | null): Html {
  const what = config.image_uri ?? config.source_tarball_path ?? config.repo_ref;
  return html`<span>${source}</span>
    ${typeof what === "string" && html`<code>${what}</code>`}
    ${commit !== null && html`<span>commit <code title="${commit}">${commit.slice(0, 10)}</code></span>`}`;
}

/** How long each status took, as a bar and as text. */
function statusBar({ periods }: RevisionHistory): Html {
  const timed = periods.flatMap(({ status, lastedMs }) => (lastedMs === null ? [] : [{ status, lastedMs }]));
  const total = timed.reduce((sum, { lastedMs }) => sum + lastedMs, 0);
  if (total === 0) return html``;
  let x = 0;
  const parts = timed.map(({ status, lastedMs }, index) => {
    const width = (lastedMs / total) * 100;
    x += width;
    return html`<rect class="part-${index % 6}" x="${(x - width).toFixed(2)}%" width="${width.toFixed(2)}%" height="8"><title>${status}</title></rect>`;
  });
  return html`<svg class="bar" height="8" aria-hidden="true">${parts}</svg>
    <ol class="periods" aria-label="How long each status took">${timed.map(
      ({ status, lastedMs }, index) =>
        html`<li class="part-${index % 6}">${status} <b>${formatDuration(lastedMs)}</b></li>`,
    )}</ol>`;
}

interface ShownLog {
  readonly deployment: DeploymentSnapshot;
  readonly revision: RevisionView;
  readonly type: LogType;
  readonly isNewest: boolean;
}

function logDetails({ inspection }: PageContext, { deployment, revision, type, isNewest }: ShownLog): Html {
  const max = isNewest ? NEWEST_LINES : EARLIER_LINES;
  const { entries } = inspection.log(deployment.id, revision.id, type, max);
  if (entries.length === 0) return html``;
  const lines = entries.map(({ place, entry }) => {
    const { text, isError } = lineOf(entry);
    return html`<span id="${type}-${shortId(revision.id)}-${place}" class="${isError ? "error" : "line"}">${text}\n</span>`;
  });
  const isOpen = isNewest && (type === "deploy" || classOf(revision.status) !== "good");
  return html`<details class="log" ${isOpen && "open"}><summary>${LOG_TITLES[type]}</summary>
    <div class="scroll" tabindex="0" role="log" aria-label="${LOG_TITLES[type]}"><pre>${lines}</pre></div>
    ${
      entries.length === max &&
      html`<p class="note">The last ${max} lines.
      <a href="/page/deployments/${deployment.id}/revisions/${revision.id}/${type}.log">All lines as text</a></p>`
    }
  </details>`;
}

/** A complete log as text. @throws {RefusedError} 404 */
export function logText({ inspection }: PageContext, id: string, revisionId: string, type: LogType): string {
  const { entries } = inspection.log(id, revisionId, type);
  return entries.map(({ entry }) => `${lineOf(entry).text}\n`).join("");
}

/** A fault rule may give an entry any shape. */
function lineOf(entry: unknown): { text: string; isError: boolean } {
  const isObject = typeof entry === "object" && entry !== null;
  const message = isObject && "message" in entry ? entry.message : entry;
  const text = typeof message === "string" ? message : JSON.stringify(message);
  const isError = isObject && "level" in entry && entry.level === "ERROR";
  return { text: stripVTControlCharacters(text), isError };
}

/** Asks before a deployment is deleted. @throws {RefusedError} 404 */
export function deleteView(context: PageContext, id: string): View {
  const { name, revisions, url } = findDeployment(context, id);
  const main = html`<h1>Delete <bdi>${name}</bdi>?</h1>
    <p>Its ${revisions.length} ${revisions.length === 1 ? "revision goes" : "revisions go"} with it${url !== null && ", and its URL stops responding"}. This cannot be undone.</p>
    <form method="post" action="/page/deployments/${id}/delete">
      ${
        context.dialect.hasExtensions &&
        html`<p><label><input type="checkbox" name="delete_tracing_project" value="true"> Delete its tracing project too, which frees the name</label></p>`
      }
      <p class="buttons"><button class="danger">Delete ${name}</button>
      <a class="button" href="/page/deployments/${id}">Keep it</a></p>
    </form>`;
  return { title: `Delete ${name}?`, main, isLive: false };
}
