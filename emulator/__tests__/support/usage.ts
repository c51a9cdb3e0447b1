/** Usage files, and clients of the usage API. */
import * as v from "valibot";
import { UsageResponseSchema, usageExportPath, usagePath } from "../../../src/usage/schemas.ts";
import type { Emulator } from "../../index.ts";
import type { ApiResponse } from "./client.ts";
import { parseCsv } from "./csv-parser.ts";

export const WORKSPACE = "11111111-1111-4111-8111-111111111111";
export const OTHER_WORKSPACE = "22222222-2222-4222-8222-222222222222";

/** A line of a usage file; undefined removes a key. */
export function usageLine(replaced: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    time: "2026-02-03T10:20:30Z",
    workspace_id: WORKSPACE,
    workspace_name: "Workspace",
    project_id: "project-1",
    project_name: "Project",
    user_id: "user-1",
    user_email: "user-1@agents.example",
    api_key_short_key: "key-1",
    traces: 1,
    ...replaced,
  };
}

export function usageFile(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The parameters of a request: undefined removes one, a list repeats it. */
export type Query = Record<string, string | readonly string[] | undefined>;

async function get(emulator: Emulator, path: string, query: Query): Promise<ApiResponse> {
  const parameters = Object.entries({ workspace_ids: [WORKSPACE], ...query }).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
  // Without X-Tenant-Id: usage needs the key alone.
  const response = await fetch(`${emulator.url}${path}?${new URLSearchParams(parameters)}`, {
    headers: { "x-api-key": emulator.apiKey },
  });
  const text = await response.text();
  const isFromApi = response.headers.get("content-type") === "application/json";
  return { status: response.status, headers: response.headers, body: isFromApi ? JSON.parse(text) : text };
}

export function getUsage(emulator: Emulator, query: Query): Promise<ApiResponse> {
  return get(emulator, usagePath, query);
}

export function getExport(emulator: Emulator, query: Query): Promise<ApiResponse> {
  return get(emulator, usageExportPath, query);
}

/** The parsed JSON report. */
export async function report(emulator: Emulator, query: Query) {
  const { status, body } = await getUsage(emulator, query);
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return v.parse(UsageResponseSchema, body);
}

/** The cells of the CSV export, with the header. */
export async function exported(emulator: Emulator, query: Query): Promise<string[][]> {
  const { status, body } = await getExport(emulator, query);
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return parseCsv(v.parse(v.string(), body));
}
