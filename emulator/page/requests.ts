/** The last requests that came in. */
import { type Redactor, redactorFor } from "../runner/redact.ts";
import { ago, formatDuration, type Html, html, type View } from "./html.ts";
import type { PageContext } from "./page-context.ts";
import type { RequestRecord } from "./request-history.ts";

const MAX_BODY_LENGTH = 5000;

/** Of each request, its body with these secrets redacted: nothing of it changes any more. */
interface ShownBody {
  readonly secrets: number;
  readonly text: string | undefined;
}

const shown = new WeakMap<RequestRecord, ShownBody>();

export function requestsView({ history, keys, now }: PageContext): View {
  const redact = redactorFor([...keys, ...history.secrets]);
  const rows = history.records.map((record) =>
    row(record, bodyOf(record, redact, history.secrets.size), now()),
  );
  const main = html`<h1>Requests</h1>
    <p class="note">The last 200 that came in, without secrets and without those of this page.</p>
    ${
      rows.length === 0
        ? html`<p class="empty">No request has come in yet.</p>`
        : html`<table class="requests"><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Status</th>
          <th scope="col">Took</th><th scope="col">When</th></tr></thead>
          <tbody>${rows}</tbody></table>`
    }`;
  return { title: "Requests", main, isLive: true };
}

function row(
  { number, entry, query, at, tookMs }: RequestRecord,
  body: string | undefined,
  now: number,
): Html {
  const { method, path, status } = entry;
  const address = html`<code>${path}${query}</code>`;
  return html`<tr id="q-${number}">
    <td><code>${method}</code></td>
    <td>${
      body === undefined
        ? address
        : html`<details><summary>${address}</summary><pre aria-label="Body">${body}</pre></details>`
    }</td>
    <td class="${status !== undefined && status >= 400 ? "bad" : "good"}">${status ?? "–"}</td>
    <td>${tookMs === undefined ? "no response" : formatDuration(tookMs)}</td>
    <td>${ago(at, now)}</td></tr>`;
}

function bodyOf(record: RequestRecord, redact: Redactor, secrets: number): string | undefined {
  const before = shown.get(record);
  if (before !== undefined && before.secrets === secrets) return before.text;
  const body = record.body();
  const text = body === undefined ? undefined : bodyText(body);
  const redacted = text && redact(text).slice(0, MAX_BODY_LENGTH);
  if (record.tookMs !== undefined) shown.set(record, { secrets, text: redacted });
  return redacted;
}

/** What is not JSON has no fields, so nobody knows what is secret in it. */
function bodyText(body: unknown): string {
  return typeof body === "string" ? `Not JSON: ${body.length} characters` : JSON.stringify(body, null, 2);
}
