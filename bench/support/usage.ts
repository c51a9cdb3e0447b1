/** What the usage benchmark downloads: usage for the emulator, and a server that has its responses ready. */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { closeServer, listen } from "../../__tests__/support/listen.ts";
import { USAGE_EXPORT_PATH } from "../../src/usage/schemas.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const [firstDay, days] = [Date.parse("2026-02-01T00:00:00Z"), 28];
/** Requests all of the usage. */
export const query = {
  start_time: "2026-02-01T00:00:00.000Z",
  end_time: "2026-03-01T00:00:00.000Z",
  group_by: "project",
  workspace_ids: workspace,
};
/** Long names make large responses of few rows, which cost the emulator little. */
const nameLength = 2000;
const rowBytes = nameLength + 80;

/** A usage file whose CSV export has about this size. */
export function* usageLines(megabytes: number): Generator<string> {
  const projects = Math.ceil((megabytes * 1e6) / rowBytes / days);
  for (let day = 0; day < days; day += 1) {
    const time = new Date(firstDay + day * 86_400_000).toISOString();
    for (let project = 0; project < projects; project += 1) {
      const line = {
        time,
        workspace_id: workspace,
        workspace_name: "Workspace",
        project_id: `project-${project}`,
        project_name: `${project} `.padEnd(nameLength, "name "),
        user_id: "user",
        api_key_short_key: "key",
        traces: 1 + ((day + project) % 9),
      };
      yield `${JSON.stringify(line)}\n`;
    }
  }
}

/** A server that sends a JSON report and a CSV export of these sizes, in megabytes, from memory. */
export async function startIdleServer(
  report: number,
  csv: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const reportParts = Buffer.from(JSON.stringify({ stride: { days: 1, hours: 0 }, usage: items(report) }));
  const rows = Buffer.from("2026-02-01T00:00:00Z,5\r\n".repeat(10_000));
  const csvParts = [
    Buffer.from("Time Bucket Start,Traces\r\n"),
    ...Array<Buffer>(Math.ceil((csv * 1e6) / rows.length)).fill(rows),
  ];
  const server = createServer((request, response) => {
    const isExport = request.url?.startsWith(USAGE_EXPORT_PATH) ?? false;
    Readable.from(isExport ? csvParts : [reportParts]).pipe(response);
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => closeServer(server) };
}

/** Items of ordinary length that have about this size as JSON, in megabytes. */
function items(megabytes: number): unknown[] {
  const item = (index: number) => ({
    time_bucket: new Date(firstDay + (index % days) * 86_400_000).toISOString(),
    dimensions: { project_id: crypto.randomUUID(), project_name: `Project ${index}` },
    traces: 1 + (index % 9),
  });
  const count = Math.floor((megabytes * 1e6) / JSON.stringify(item(1e6)).length);
  return Array.from({ length: count }, (_, index) => item(index));
}
