import { Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { ApiClient } from "../http/api-client.ts";
import { exchange, isSuccessful, type OpenResponse, readBytes, readText } from "../http/request.ts";
import { retryIdempotent, retryUntil } from "../http/retry.ts";
import { type Hints, hintsFor } from "../platform/hints.ts";
import { code, input, text } from "../text/message.ts";
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

/** Called with the number of bytes received so far. */
export type OnProgress = (receivedBytes: number) => void;

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
    401: text`Check that ${input("api_key")} is a valid key for the platform at ${input("base_url")}. If it has expired or was revoked, create a new one there and update the secret.`,
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
const maxReportMebibytes = 64;

/**
 * Reads the JSON report; it is retried like other reads.
 *
 * @throws ConnectionError, ResponseError, Failure `report_too_large` beyond 64 MiB, or the reason of a cancellation
 */
export async function readReport(
  operation: UsageOperation,
  onProgress: OnProgress,
  context: Context,
): Promise<UsageReport> {
  const { api, request, limit } = prepare(operation, jsonReport, context);
  const attempt = () =>
    exchange(request, limit, async (response) => {
      await requireSuccess(api, response);
      const body = countedBy(onProgress, response.body);
      const bytes = await readBytes(body, maxReportMebibytes * 2 ** 20, tooLarge);
      return { ...api.parse({ ...response, text: bytes.toString("utf8") }, UsageResponseSchema), bytes };
    });
  return await api.retrying(attempt, retryIdempotent);
}

async function* countedBy(onProgress: OnProgress, body: OpenResponse["body"]): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    onProgress(size);
    yield chunk;
  }
}

function tooLarge(): Failure {
  return new Failure(text`The usage report is larger than ${maxReportMebibytes} MiB.`, {
    code: "report_too_large",
    hint: text`Choose a shorter range or a coarser ${input("group_by")}. The CSV export (${input("csv_file")}) may have any size.`,
  });
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
  const { api, request, limit } = prepare(operation, csvExport, context);
  let hasBegun = false;
  let size = 0;
  const attempt = () =>
    exchange(request, { ...limit, isIdle: true }, async (response) => {
      await requireSuccess(api, response);
      hasBegun = true;
      const notCsv = () => api.unexpected(response, text`the body is not the CSV export`);
      const filter = csvFilter(notCsv, (receivedBytes) => {
        size = receivedBytes;
        onProgress(receivedBytes);
      });
      await pipeline(response.body, filter, sink);
      return size;
    });
  return await api.retrying(attempt, (error) => !hasBegun && retryIdempotent(error));
}

/** A column that every export has (https://docs.langchain.com/langsmith/granular-usage). */
const csvColumn = "Time Bucket Start";
const maxHeaderBytes = 4096;

/** Passes a CSV export on unchanged. Fails with `notCsv` if the first line is not the header of an export. */
export function csvFilter(notCsv: () => Error, onProgress: OnProgress): Transform {
  let size = 0;
  /** The start of the body, until its first line is complete. */
  let start: Buffer | undefined = Buffer.alloc(0);
  const isHeader = (bytes: Buffer) => bytes.toString("latin1").split("\n", 1)[0]?.includes(csvColumn);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.length;
      onProgress(size);
      if (start !== undefined) {
        start = Buffer.concat([start, chunk.subarray(0, maxHeaderBytes)]);
        const isComplete = start.length >= maxHeaderBytes || start.includes("\n");
        if (isComplete && !isHeader(start)) return done(notCsv());
        if (isComplete) start = undefined;
      }
      done(null, chunk);
    },
    flush(done) {
      done(start === undefined || isHeader(start) ? null : notCsv());
    },
  });
}

/** The client, request and time of one operation; none of its attempts starts after its timeout. */
function prepare({ settings, query }: UsageOperation, { path, accept }: Endpoint, context: Context) {
  const { url, apiKey, region, timeoutMs } = settings;
  // The files hold the response byte for byte, so it must not be compressed.
  const headers = { accept, "x-api-key": apiKey, "accept-encoding": "identity" };
  const hintFor = hintsFor(usageHints, region);
  const policy = retryUntil(context.clock.now() + timeoutMs);
  const api = new ApiClient({ headers, requestTimeoutMs: timeoutMs, hintFor }, context, policy);
  const request = api.request("GET", addressOf(url, path, query));
  return { api, request, limit: { timeoutMs, signal: context.cancelled } };
}

/** @throws ResponseError if the response is not a success */
async function requireSuccess(api: ApiClient, response: OpenResponse): Promise<void> {
  if (!isSuccessful(response.status)) api.requireSuccess(await readText(response, maxErrorBytes));
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
