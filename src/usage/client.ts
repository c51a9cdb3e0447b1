import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { type HttpRequest, isSuccessful, openResponse, readBody } from "../http/request.ts";
import { retryIdempotent, retryUntil } from "../http/retry.ts";
import { withIdleTimeout, withTimeout } from "../http/timeout.ts";
import { type Hints, hintsFor } from "../platform/hints.ts";
import { code, input, text } from "../text/message.ts";
import { csvFilter, type OnProgress, readReportBody } from "./download.ts";
import {
  type GroupBy,
  type UsageResponse,
  UsageResponseSchema,
  usageExportPath,
  usagePath,
} from "./schemas.ts";

interface UsageApiSettings {
  readonly url: URL;
  /** The region whose host `url` is; undefined if the URL itself was given. */
  readonly region?: string | undefined;
  readonly apiKey: string;
  /** Total time of the report, idle timeout of the CSV export. */
  readonly timeoutMs: number;
}

export interface UsageQuery {
  /** Both in milliseconds since the epoch; the range ends before `end`. */
  readonly start: number;
  readonly end: number;
  readonly workspaceIds: readonly string[];
  readonly groupBy: GroupBy;
}

/** What is requested, and from where. */
export interface UsageOperation {
  readonly settings: UsageApiSettings;
  readonly query: UsageQuery;
}

interface UsageReport extends UsageResponse {
  /** The response as it was received. */
  readonly bytes: Uint8Array;
}

const checkAddress = text`Check that ${input("base_url")} is the URL of the usage API, without /api/v1. Its host may differ from that of the control plane.`;
const tooManyIds = text`Too many ${input("workspace_ids")} for one request. Split them over several steps.`;

const usageHints: Hints = {
  address: text`${input("base_url")}`,
  notTheApi: text`The response did not come from the usage API. ${checkAddress}`,
  unexpected: checkAddress,
  byStatus: {
    400: text`Check ${input("start_time")}, ${input("end_time")} and ${input("workspace_ids")}.`,
    401: text`Check ${input("api_key")}: it must be a valid key of the platform at ${input("base_url")}. If it was revoked or has expired, create a new one there and update the secret.`,
    403: text`The key in ${input("api_key")} needs the permission ${code("organization:read")}, and read access to the workspaces in ${input("workspace_ids")}.`,
    404: text`The platform has no usage report at this address. A self-hosted platform may have to enable it first. ${checkAddress}`,
    408: text`The platform timed out. Try again, or choose a shorter range.`,
    414: tooManyIds,
    431: tooManyIds,
  },
  otherwise: text`Check ${input("base_url")} and ${input("api_key")}.`,
};

interface Endpoint {
  readonly path: string;
  /** The media type of its responses. */
  readonly accept: string;
}

const jsonReport: Endpoint = { path: usagePath, accept: "application/json" };
const csvExport: Endpoint = { path: usageExportPath, accept: "text/csv" };

/** Of a response that is no success. */
const maxErrorBytes = 10_000_000;

/**
 * Reads the JSON report; it is retried like other reads.
 *
 * @throws ConnectionError, ResponseError, ActionError `report_too_large`, or the reason of a cancellation
 */
export async function readReport(
  operation: UsageOperation,
  onProgress: OnProgress,
  context: Context,
): Promise<UsageReport> {
  const { api, request, limits } = prepare(operation, jsonReport, context);
  const attempt = () =>
    withTimeout(request, limits, async (signal) => {
      const message = await openSuccess(api, request, signal);
      const bytes = await readReportBody(message, signal, onProgress);
      const { statusCode: status = 0, headers } = message;
      const response = { request, status, headers, text: bytes.toString("utf8") };
      return { ...api.parse(response, UsageResponseSchema), bytes };
    });
  return await api.retrying(attempt, retryIdempotent);
}

/**
 * Streams the CSV export to `sink`, and returns its size in bytes. It is retried until a response begins.
 *
 * @throws ConnectionError, ResponseError, what `sink` throws, or the reason of a cancellation
 */
export async function exportCsv(
  operation: UsageOperation,
  sink: Writable,
  onProgress: OnProgress,
  context: Context,
): Promise<number> {
  const { api, request, limits } = prepare(operation, csvExport, context);
  let hasBegun = false;
  let size = 0;
  const attempt = () =>
    withIdleTimeout(request, limits, async (signal, onData) => {
      const message = await openSuccess(api, request, signal);
      hasBegun = true;
      onData();
      const { statusCode: status = 0 } = message;
      const notCsv = () => api.unexpected({ request, status }, text`the body is not the CSV export`);
      const filter = csvFilter(notCsv, (receivedBytes) => {
        onData();
        size = receivedBytes;
        onProgress(receivedBytes);
      });
      await pipeline(message, filter, sink, { signal });
      return size;
    });
  return await api.retrying(attempt, (error) => (hasBegun ? undefined : retryIdempotent(error)));
}

/** The client, request and limits of one operation; none of its attempts starts after its timeout. */
function prepare({ settings, query }: UsageOperation, { path, accept }: Endpoint, context: Context) {
  const { url, apiKey, region, timeoutMs } = settings;
  // The files hold the response byte for byte, so it must not be compressed.
  const headers = { accept, "x-api-key": apiKey, "accept-encoding": "identity" };
  const hintFor = hintsFor(usageHints, region);
  const policy = retryUntil(context.clock.now() + timeoutMs);
  const api = new ApiClient({ headers, requestTimeoutMs: timeoutMs, hintFor }, context, policy);
  const request = api.request("GET", addressOf(url, path, query));
  return { api, request, limits: { timeoutMs, idleTimeoutMs: timeoutMs, signal: context.cancelled } };
}

/** A response whose body is still to be read. @throws ResponseError if it is not a complete success */
async function openSuccess(
  api: ApiClient,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const message = await openResponse(request, signal);
  const { statusCode: status = 0, headers } = message;
  try {
    api.requireSuccess(
      isSuccessful(status)
        ? { request, status, headers, text: "" }
        : await readBody(request, message, maxErrorBytes, signal),
    );
    return message;
  } catch (error) {
    message.destroy();
    throw error;
  }
}

/** Several workspaces are a repeated parameter. */
function addressOf(base: URL, path: string, query: UsageQuery): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  url.searchParams.set("start_time", new Date(query.start).toISOString());
  url.searchParams.set("end_time", new Date(query.end).toISOString());
  url.searchParams.set("group_by", query.groupBy);
  for (const id of query.workspaceIds) url.searchParams.append("workspace_ids", id);
  return url;
}
