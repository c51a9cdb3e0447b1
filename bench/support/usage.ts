/** What the usage benchmark downloads: usage for the emulator, and a server that has its answer ready. */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { closeServer, listen } from "../../__tests__/support/listen.ts";
import { USAGE_EXPORT_PATH } from "../../src/usage/schemas.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const [firstDay, days] = [Date.parse("2026-02-01T00:00:00Z"), 28];
/** Asks for all of it. */
export const query = {
  start_time: "2026-02-01T00:00:00.000Z",
  end_time: "2026-03-01T00:00:00.000Z",
  group_by: "project",
  workspace_ids: workspace,
};
/** Long names make large answers of few rows, so that making them costs the emulator little. */
const nameLength = 2000;
const rowBytes = nameLength + 80;

/** A usage file whose CSV export is about so large. */
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

/** A server that sends as many megabytes of CSV from memory, and a report without usage. */
export async function startIdleServer(megabytes: number): Promise<{ url: string; close(): Promise<void> }> {
  const head = "Time Bucket Start,Traces\r\n";
  const block = Buffer.from("2026-02-01T00:00:00Z,5\r\n".repeat(10_000));
  const server = createServer((request, response) => {
    if (!request.url?.startsWith(USAGE_EXPORT_PATH)) {
      response.end('{"stride":{"days":1,"hours":0},"usage":[]}');
      return;
    }
    const blocks = Array<Buffer>(Math.ceil((megabytes * 1e6) / block.length)).fill(block);
    Readable.from([Buffer.from(head), ...blocks]).pipe(response);
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => closeServer(server) };
}
