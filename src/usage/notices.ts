import type { UsageQuery } from "./query.ts";
import type { UsageTotals } from "./totals.ts";

/** platform-api, Limits 1 and 2: on the cloud offering earlier usage doesn't exist. */
const firstDay = "2026-01-05";

/** What a user has to know of the range, before anything is asked. */
export function rangeNotice({ start }: Pick<UsageQuery, "start">): string | undefined {
  if (start >= Date.parse(firstDay)) return undefined;
  return `The range starts before ${firstDay}, from which on the cloud offering counts usage; what came before is not in this report. A self-hosted installation counts from when that was enabled.`;
}

/** Which of the workspaces that were asked for don't show in a report by workspace (contract, 7). */
export function workspacesNotice(query: UsageQuery, totals: UsageTotals): string | undefined {
  if (query.groupBy !== "workspace") return undefined;
  const shown = new Set(totals.dimensions.map(({ id }) => id.toLowerCase()));
  const missing = query.workspaceIds.filter((id) => !shown.has(id));
  if (missing.length === 0) return undefined;
  return `No usage is shown for ${missing.join(", ")}: nothing was used in this range, or the key has no read access to it.`;
}
