/** The CSV export (platform-api, "Granular usage export"; RFC 4180). */
import type { UsageRow } from "./report.ts";

/** The columns between the times and the traces, with their keys in `dimensions`. */
const DIMENSION_COLUMNS = [
  ["Workspace ID", "workspace_id"],
  ["Workspace Name", "workspace_name"],
  ["Project ID", "project_id"],
  ["Project Name", "project_name"],
  ["User ID", "user_id"],
  ["User Email", "user_email"],
  ["API Key Short Key", "api_key_short_key"],
] as const;

/** The header line. */
export const CSV_HEADER = csvLine([
  "Time Bucket Start",
  "Time Bucket End",
  ...DIMENSION_COLUMNS.map(([title]) => title),
  "Traces",
]);

/** A row as a line; a column that the grouping does not know stays empty. */
export function csvLineOf({ start, end, dimensions, traces }: UsageRow): string {
  return csvLine([start, end, ...DIMENSION_COLUMNS.map(([, key]) => dimensions[key] ?? ""), String(traces)]);
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  // Contract, 9: what a spreadsheet would take for a formula.
  const guarded = /^[=+\-@\t\r]/.test(text) ? `\t${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
