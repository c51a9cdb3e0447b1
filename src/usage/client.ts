import type { Context } from "../context.ts";
import { retryableRead, Transport } from "../http/api-client.ts";
import { type DownloadLimits, startDownload } from "../http/download.ts";
import type { HttpRequest, Take } from "../http/exchange.ts";
import { hintsInRegion } from "../http/hints.ts";
import { retryUntil } from "../http/retry.ts";
import { CsvHead } from "./csv-head.ts";
import { usageHints } from "./hints.ts";
import { searchParams, type UsageQuery } from "./query.ts";
import { ReportReader } from "./report-reader.ts";
import { USAGE_EXPORT_PATH, USAGE_PATH } from "./schemas.ts";
import { UsageSum, type UsageTotals } from "./totals.ts";

export interface UsageApiSettings {
  readonly url: URL;
  /** The region that stood for `url`, undefined where that itself was given. */
  readonly region?: string | undefined;
  readonly apiKey: string;
  /** Total for the report; for the export the longest silence. In milliseconds. */
  readonly timeoutMs: number;
}

/** Passes what `send` sends on to where it is kept, and resolves with what that resolves with. */
export type Keep = <T>(send: (take: Take) => Promise<T>) => Promise<T>;

/**
 * The usage API's two operations (platform-api, "Granular usage"). Requests are repeated like reads of the control
 * plane; an export that has begun is not. Answers are passed on as they arrive, so that their size doesn't matter.
 * Both throw ConnectionError, ResponseError or UnexpectedAnswerError, or the cancellation's reason, and what `keep` or
 * `take` throws.
 */
export class UsageApi {
  readonly #settings: UsageApiSettings;
  readonly #context: Context;

  constructor(settings: UsageApiSettings, context: Context) {
    this.#settings = settings;
    this.#context = context;
  }

  /** The totals of a report. Its bytes go to `keep`, each attempt's anew. */
  async report(query: UsageQuery, keep: Keep): Promise<UsageTotals> {
    const transport = this.#transport();
    const request = transport.request("GET", this.#address(USAGE_PATH, query));
    const attempt = async (take: Take) => {
      const sum = new UsageSum(query.groupBy);
      const { status, receive } = await this.#begin(request, "answer", transport);
      const reader = new ReportReader(
        (item) => sum.add(item),
        (what) => transport.unexpected({ request, status }, what),
      );
      await receive(async (chunk) => {
        reader.add(chunk);
        await take(chunk);
      });
      return sum.totals(reader.end(), this.#context.redact);
    };
    return await transport.patiently(() => keep(attempt), retryableRead);
  }

  /** Passes the CSV export on. */
  async export(query: UsageQuery, take: Take): Promise<void> {
    const transport = this.#transport();
    const plain = transport.request("GET", this.#address(USAGE_EXPORT_PATH, query));
    const request = { ...plain, headers: { ...plain.headers, accept: "text/csv" } };
    const { status, receive } = await transport.patiently(
      () => this.#begin(request, "silence", transport),
      retryableRead,
    );
    const noExport = () => transport.unexpected({ request, status }, "the body is not the CSV export");
    const head = new CsvHead();
    await receive(async (chunk) => {
      if (!head.add(chunk)) throw noExport();
      await take(chunk);
    });
    if (!head.end()) throw noExport();
  }

  async #begin(request: HttpRequest, bounds: DownloadLimits["bounds"], transport: Transport) {
    const { timeoutMs } = this.#settings;
    const start = await startDownload(request, { timeoutMs, bounds, signal: this.#context.cancelled });
    if (start.refused !== undefined) throw transport.refusal(start.refused);
    try {
      transport.demandWhole({ request, status: start.status });
      return start;
    } catch (error) {
      start.drop();
      throw error;
    }
  }

  /** For one operation: no attempt at it begins after its time. */
  #transport(): Transport {
    const { apiKey, region, timeoutMs } = this.#settings;
    const settings = {
      // The files are what was sent, byte for byte, so it must not be sent compressed.
      headers: { "x-api-key": apiKey, "accept-encoding": "identity" },
      requestTimeoutMs: timeoutMs,
      hints: hintsInRegion(usageHints, region),
    };
    return new Transport(settings, this.#context, retryUntil(this.#context.clock.now() + timeoutMs));
  }

  #address(path: string, query: UsageQuery): URL {
    const url = new URL(this.#settings.url);
    url.pathname = url.pathname.replace(/\/+$/, "") + path;
    url.search = searchParams(query).toString();
    return url;
  }
}
