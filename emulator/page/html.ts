/** The parts that all views are made of. `html` escapes every value. */
import { html } from "hono/html";

export { html };
export type Html = ReturnType<typeof html>;

export interface View {
  readonly title: string;
  readonly main: Html;
  /** Whether it is updated while it is shown. */
  readonly isLive: boolean;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** A duration in its largest unit, as in `12 s`. */
export function formatDuration(ms: number): string {
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? ["ms", 1];
  return `${Math.floor(ms / length)} ${unit}`;
}

/** A time as how long ago it was. */
export function ago(at: string | number, now: number): Html {
  const date = new Date(at);
  const past = now - date.getTime();
  const text = past < 1000 ? "now" : `${formatDuration(past)} ago`;
  return html`<time datetime="${date.toISOString()}" title="${date.toLocaleString("en-GB")}">${text}</time>`;
}

const ENDS = new Map([
  ["DEPLOYED", "good"],
  ["INTERRUPTED", "over"],
  ["SKIPPED", "over"],
]);

/** The class of a status: `good`, `bad`, `over`, or `pending`. */
export function classOf(status: string): string {
  return ENDS.get(status) ?? (status.includes("FAILED") ? "bad" : "pending");
}

export function statusBadge(status: string): Html {
  return html`<span class="status ${classOf(status)}">${status}</span>`;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** A link, if it is one of the web: others could run something. Without credentials. */
export function link(url: string): Html {
  const text = url.replace(/(:\/\/)[^/@\s]*@/, "$1");
  return /^https?:\/\//i.test(text)
    ? html`<a href="${text}" rel="noreferrer">${text}</a>`
    : html`<bdi>${text}</bdi>`;
}

/** The pages before and after this one, if there are any. */
export function pager(
  place: { offset: number; shown: number; total: number },
  path: (offset: number) => string,
): Html {
  const { offset, shown, total } = place;
  if (offset === 0 && shown === total) return html``;
  return html`<nav class="pager" aria-label="Pages">
    ${offset > 0 && html`<a href="${path(0)}">First page</a>`}
    <span>${offset + 1}–${offset + shown} of ${total}</span>
    ${offset + shown < total && html`<a href="${path(offset + shown)}">Next page</a>`}
  </nav>`;
}
