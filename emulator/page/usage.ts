/** Usage: a chart over time and a table, from the query that the API answers. */
import { dimensionKeys, type GroupBy, GroupBySchema } from "../../src/usage/schemas.ts";
import { UsageQuerySchema, type UsageRow } from "../routes/usage.ts";
import { validate } from "../routes/validation.ts";
import { bucketsOf, formatDateTime } from "../usage/time.ts";
import { type Html, html, type View } from "./html.ts";
import type { PageContext } from "./page-context.ts";

const DAY = 86_400_000;
/** Groups with a colour of their own. The others share the last one. */
const COLOURS = 5;
const TITLES: Record<GroupBy, string> = {
  workspace: "Workspace",
  project: "Project",
  user: "User",
  api_key: "API key",
};

interface Group {
  readonly name: string;
  traces: number;
}

/** @throws {InvalidRequestError} like the API */
export function usageView({ usage, now }: PageContext, query: Readonly<Record<string, string>>): View {
  const today = Math.floor(now() / DAY) * DAY;
  const given = {
    start_time: query.start_time || dateOf(today - 29 * DAY),
    end_time: query.end_time || dateOf(today + DAY),
    group_by: query.group_by || "project",
  };
  const parsed = validate(UsageQuerySchema, { ...given, workspace_ids: usage.workspaces() }, "query");
  const { groupBy, range } = parsed;
  const rows = [...usage.rows(parsed)];
  const groups = groupsOf(rows, groupBy);
  const main = html`<h1>Usage</h1>
    <form class="filter">
      <p><label for="start_time">From</label><input id="start_time" name="start_time" type="date" value="${given.start_time}"></p>
      <p><label for="end_time">until before</label><input id="end_time" name="end_time" type="date" value="${given.end_time}"></p>
      <p><label for="group_by">by</label><select id="group_by" name="group_by">${GroupBySchema.options.map(
        (one) => html`<option value="${one}" ${one === groupBy && "selected"}>${TITLES[one]}</option>`,
      )}</select></p>
      <button>Show</button></form>
    ${
      rows.length === 0
        ? html`<p class="empty">There are no traces in this time.</p>`
        : html`${chart(
            rows,
            [...groups.keys()],
            groupBy,
            [...bucketsOf(range)].map(({ start }) => formatDateTime(start)),
          )}
          ${table([...groups.values()], TITLES[groupBy])}`
    }`;
  return { title: "Usage", main, isLive: false };
}

function dateOf(ms: number): string {
  return formatDateTime(ms).slice(0, 10);
}

function keyOf({ dimensions }: UsageRow, groupBy: GroupBy): string {
  return dimensions[dimensionKeys[groupBy][0]] ?? "";
}

/** The groups by their ids, the largest first. */
function groupsOf(rows: readonly UsageRow[], groupBy: GroupBy): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = keyOf(row, groupBy);
    const group = groups.get(key) ?? {
      name: row.dimensions[dimensionKeys[groupBy][1] ?? ""] ?? key,
      traces: 0,
    };
    group.traces += row.traces;
    groups.set(key, group);
  }
  return new Map([...groups].toSorted(([, one], [, other]) => other.traces - one.traces));
}

const [WIDTH, HEIGHT] = [720, 180];

/** A bar for each bucket, in parts for the groups. */
function chart(
  rows: readonly UsageRow[],
  keys: readonly string[],
  groupBy: GroupBy,
  starts: readonly string[],
): Html {
  const buckets = new Map(starts.map((start) => [start, new Array<number>(COLOURS + 1).fill(0)]));
  for (const row of rows) {
    const parts = buckets.get(row.start);
    const place = Math.min(keys.indexOf(keyOf(row, groupBy)), COLOURS);
    if (parts !== undefined) parts[place] = (parts[place] ?? 0) + row.traces;
  }
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
  const max = Math.max(...[...buckets.values()].map(sum));
  const step = WIDTH / starts.length;
  const bars = [...buckets].map(([start, parts], index) => {
    let y = HEIGHT;
    const rects = parts.map((traces, place) => {
      const height = (traces / max) * HEIGHT;
      y -= height;
      return (
        height > 0 &&
        html`<rect class="part-${place}" x="${(index * step).toFixed(1)}" y="${y.toFixed(1)}" width="${(step * 0.82).toFixed(1)}" height="${height.toFixed(1)}"/>`
      );
    });
    return html`<g><title>${labelOf(start)}: ${sum(parts).toLocaleString("en")} traces</title>
      <rect class="hit" x="${(index * step).toFixed(1)}" width="${step.toFixed(1)}" height="${HEIGHT}"/>${rects}</g>`;
  });
  const label = `Traces over time, at most ${max.toLocaleString("en")}`;
  return html`<figure class="chart"><figcaption>${label}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>
    <p class="axis"><span>${labelOf(starts[0] ?? "")}</span><span>${labelOf(starts.at(-1) ?? "")}</span></p></figure>`;
}

function labelOf(start: string): string {
  return start.endsWith("T00:00:00Z") ? start.slice(0, 10) : start.slice(0, 16).replace("T", " ");
}

function table(groups: readonly Group[], title: string): Html {
  const total = groups.reduce((sum, { traces }) => sum + traces, 0);
  return html`<table><thead><tr><th scope="col">${title}</th><th scope="col" class="number">Traces</th>
      <th scope="col" class="number">Share</th></tr></thead>
    <tbody>${groups.map(
      (
        { name, traces },
        index,
      ) => html`<tr><th scope="row" class="swatch part-${Math.min(index, COLOURS)}"><bdi>${name}</bdi></th>
        <td class="number">${traces.toLocaleString("en")}</td>
        <td class="number">${((traces / total) * 100).toFixed(1)} %</td></tr>`,
    )}</tbody>
    <tfoot><tr><th scope="row">All</th><td class="number">${total.toLocaleString("en")}</td><td></td></tr></tfoot></table>`;
}
