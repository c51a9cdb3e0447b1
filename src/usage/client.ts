import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { exchange, readText } from "../http/request.ts";
import { failedResponse, isSuccessful } from "../http/response.ts";
import { retryFor, retryIdempotent } from "../http/retry.ts";
import { type Hints, hintsFor } from "../platform/hints.ts";
import { code, input, text } from "../text/message.ts";
import type { UsageInputs } from "./inputs.ts";
import { type UsageResponse, UsageResponseSchema, usageExportPath, usagePath } from "./schemas.ts";
import { writeWhenComplete } from "./write-when-complete.ts";

const checkAddress = text`Check that ${input("base_url")} is the URL of the usage API, without /api/v1. Its host may differ from that of the control plane.`;

const usageHints: Hints = {
  address: text`${input("base_url")}`,
  notTheApi: checkAddress,
  byStatus: {
    401: text`Check that ${input("api_key")} is a valid key for the platform at ${input("base_url")}. If it has expired or was revoked, create a new one there and update the secret.`,
    403: text`The key in ${input("api_key")} needs the permission ${code("organization:read")}, and read access to the workspaces in ${input("workspace_ids")}.`,
    404: text`The platform has no usage report at this address. A self-hosted platform may have to enable it first. ${checkAddress}`,
  },
  otherwise: text`Check ${input("base_url")} and ${input("api_key")}.`,
};

const maxReportBytes = 64_000_000;

/** Reads the report; `json` is the response as it came. */
export async function readReport(
  inputs: UsageInputs,
  context: Context,
): Promise<{ readonly usage: UsageResponse; readonly json: string }> {
  const api = connect(inputs, context);
  const response = await api.send("GET", addressOf(inputs, usagePath));
  return { usage: api.parse(response, UsageResponseSchema), json: response.text };
}

/** Streams the CSV export to a file, and returns its size in bytes. Each attempt begins a new file. */
export async function exportCsv(inputs: UsageInputs, path: string, context: Context): Promise<number> {
  const api = connect(inputs, context);
  const request = api.request("GET", addressOf(inputs, usageExportPath));
  const limit = { timeoutMs: inputs.timeoutMs, isIdle: true, signal: context.cancelled };
  const attempt = () =>
    writeWhenComplete("csv_file", path, (write) =>
      exchange(request, limit, async (response) => {
        if (!isSuccessful(response.status)) throw failedResponse(await readText(response, maxReportBytes));
        for await (const chunk of response.body) await write(chunk);
      }),
    );
  return await api.retrying(attempt, retryIdempotent);
}

function connect({ apiKey, region, timeoutMs }: UsageInputs, context: Context): ApiClient {
  const settings = {
    // The files hold the response byte for byte, so it must not be compressed.
    headers: { accept: "application/json, text/csv", "x-api-key": apiKey, "accept-encoding": "identity" },
    requestTimeoutMs: timeoutMs,
    maxBytes: maxReportBytes,
    hintFor: hintsFor(usageHints, region),
  };
  return new ApiClient(settings, context, retryFor(timeoutMs));
}

function addressOf({ url: base, start, end, groupBy, workspaceIds }: UsageInputs, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  url.searchParams.set("start_time", new Date(start).toISOString());
  url.searchParams.set("end_time", new Date(end).toISOString());
  url.searchParams.set("group_by", groupBy);
  for (const id of workspaceIds) url.searchParams.append("workspace_ids", id);
  return url;
}
