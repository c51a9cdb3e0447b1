import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { exchange } from "../http/request.ts";
import {
  isSuccessful,
  parseBody,
  readText,
  requireSuccess,
  unexpectedResponseFailure,
} from "../http/response.ts";
import { defaultRetryMs, retryIdempotent, withRetry } from "../http/retry.ts";
import { urlBelow } from "../http/url.ts";
import { createHintFor, type Hints } from "../platform/hints.ts";
import { code, inputName, phrase, quote, text } from "../text/message.ts";
import type { UsageInputs } from "./read-usage-inputs.ts";
import { type UsageResponse, UsageResponseSchema, usageExportPath, usagePath } from "./schemas.ts";
import { writeWhenComplete } from "./write-when-complete.ts";

const checkUrlHint = text`Check that ${inputName("base_url")} is the URL of the usage API, without /api/v1. Its host may differ from that of the control plane.`;

const usageHints: Hints = {
  urlName: inputName("base_url"),
  notTheApi: checkUrlHint,
  byStatus: {
    401: text`Check that ${inputName("api_key")} is a valid key for the platform at ${inputName("base_url")}. If it has expired or was revoked, create a new one there and update the secret.`,
    403: text`The key in ${inputName("api_key")} needs the permission ${code("organization:read")}, and read access to the workspaces in ${inputName("workspace_ids")}.`,
    404: text`The platform has no usage report at this address. A self-hosted platform may have to enable it first. ${checkUrlHint}`,
  },
  otherwise: text`Check ${inputName("base_url")} and ${inputName("api_key")}.`,
};

/** Reads the report; `json` is the response as it came. */
export async function readReport(
  inputs: UsageInputs,
  context: Context,
): Promise<{ readonly usage: UsageResponse; readonly json: Uint8Array }> {
  const settings = { ...apiOf(inputs), requestTimeoutMs: inputs.timeoutMs, retryMs: defaultRetryMs };
  const request = { method: "GET", path: pathOf(inputs, usagePath) } as const;
  const response = await new ApiClient(settings, context).send(request);
  return { usage: parseBody(response, UsageResponseSchema), json: response.bytes };
}

/** Streams the CSV export to a file. Each attempt begins a new file. */
export async function exportCsv(inputs: UsageInputs, path: string, context: Context): Promise<void> {
  const { timeoutMs } = inputs;
  const request = {
    method: "GET",
    ...apiOf(inputs),
    url: urlBelow(inputs.url, pathOf(inputs, usageExportPath)),
  } as const;
  const options = { ...context, timeoutMs, isIdleTimeout: true };
  const attempt = () =>
    writeWhenComplete("csv_file", path, (file) =>
      exchange(request, options, async (response) => {
        if (!isSuccessful(response.status)) requireSuccess(await readText(response));
        const { "content-type": type = "" } = response.headers;
        if (/html|json/i.test(type)) {
          throw unexpectedResponseFailure(response, phrase`it is ${quote(type, 100)}, not CSV`);
        }
        await file.writeFile(response.body);
      }),
    );
  await withRetry(attempt, retryIdempotent, defaultRetryMs, context);
}

function apiOf({ url, apiKey, region }: UsageInputs) {
  return {
    url,
    // The files hold the response byte for byte, so it must not be compressed.
    headers: { accept: "application/json, text/csv", "x-api-key": apiKey, "accept-encoding": "identity" },
    hintFor: createHintFor(usageHints, region),
  };
}

function pathOf({ start, end, groupBy, workspaceIds }: UsageInputs, path: string): string {
  const query = new URLSearchParams({
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
    group_by: groupBy,
  });
  for (const id of workspaceIds) query.append("workspace_ids", id);
  return `${path}?${query}`;
}
