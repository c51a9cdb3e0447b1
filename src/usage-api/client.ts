import { repeatableRead, Transport } from "../control-plane/transport.ts";
import { startDownload } from "../http/download.ts";
import type { Take } from "../http/exchange.ts";
import type { Ports } from "../ports.ts";
import { withTexts } from "../text/redact.ts";
import { CsvHead } from "./csv-head.ts";
import { usageHints } from "./hints.ts";
import { searchParams, type UsageQuery } from "./query.ts";
import { USAGE_EXPORT_PATH, USAGE_PATH, type UsageResponse, UsageResponseSchema } from "./schemas.ts";

export interface UsageApiSettings {
  readonly url: URL;
  readonly apiKey: string;
  /** Total for the report; for the export the longest silence. In milliseconds. */
  readonly timeoutMs: number;
}

/** A usage report with the bytes that it came in. */
export interface UsageReport {
  readonly bytes: Uint8Array;
  readonly response: UsageResponse;
}

const reportLimitBytes = 100_000_000;
const attempts = 5;

/**
 * The usage API's two operations (platform-api, "Granular usage"). Requests are repeated like reads of the control
 * plane; an export that has begun is not. Both throw ConnectionError, AnswerError or UnexpectedAnswerError, or the
 * cancellation's reason.
 */
export class UsageApi {
  readonly #settings: UsageApiSettings;
  readonly #ports: Ports;

  constructor(settings: UsageApiSettings, ports: Ports) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async report(query: UsageQuery): Promise<UsageReport> {
    const transport = this.#transport();
    const answer = await transport.send("GET", this.#address(USAGE_PATH, query), repeatableRead);
    return { bytes: answer.bytes, response: transport.parse(answer, UsageResponseSchema) };
  }

  /** Passes the CSV export on as it arrives. */
  async export(query: UsageQuery, take: Take): Promise<void> {
    const transport = this.#transport();
    const plain = transport.request("GET", this.#address(USAGE_EXPORT_PATH, query));
    const request = { ...plain, headers: { ...plain.headers, accept: "text/csv" } };
    const begin = async () => {
      const limits = { silenceMs: this.#settings.timeoutMs, signal: this.#ports.cancelled };
      const start = await startDownload(request, limits);
      if (start.refused !== undefined) throw transport.refusal(start.refused);
      return start;
    };
    const { status, receive } = await transport.patiently(begin, repeatableRead);
    const noExport = () => transport.unexpected({ request, status }, "the body is not the CSV export");
    const head = new CsvHead();
    await receive(async (chunk) => {
      if (!head.add(chunk)) throw noExport();
      await take(chunk);
    });
    if (!head.end()) throw noExport();
  }

  /** For one operation: no attempt at it begins after its time. */
  #transport(): Transport {
    const { apiKey, timeoutMs } = this.#settings;
    const settings = {
      // The files are what was sent, byte for byte, so it must not be sent compressed.
      headers: { "x-api-key": apiKey, "accept-encoding": "identity" },
      requestTimeoutMs: timeoutMs,
      hints: usageHints,
      answerLimitBytes: reportLimitBytes,
      decode: (body: unknown) => withTexts(body, this.#ports.redact.value),
      sizeHint: "Ask for less at a time: a shorter range, fewer workspaces, or a coarser group_by.",
    };
    return new Transport(settings, this.#ports, { attempts, until: this.#ports.clock.now() + timeoutMs });
  }

  #address(path: string, query: UsageQuery): URL {
    const url = new URL(this.#settings.url);
    url.pathname = url.pathname.replace(/\/+$/, "") + path;
    url.search = searchParams(query).toString();
    return url;
  }
}
