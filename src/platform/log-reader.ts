import type { ApiClient } from "../http/api-client.ts";
import { retryIdempotent } from "../http/retry.ts";
import { isUnsupported } from "./error-kinds.ts";
import { type LogPage, LogPageSchema, type LogQuery, type RevisionLog, toLogPage } from "./revision-log.ts";
import type { routesBelow } from "./routes.ts";

/**
 * Reads the logs of revisions. Not every platform has them. Every method throws ConnectionError or ResponseError, Failure
 * for an id that is not a valid path segment, or the reason of a cancellation.
 */
export class LogReader {
  readonly #api: ApiClient;
  readonly #routes: ReturnType<typeof routesBelow>;
  /** The platform may only have the older endpoint, that of a project; undefined until a log was read. */
  #hasOlderOnly: boolean | undefined;

  constructor(api: ApiClient, routes: ReturnType<typeof routesBelow>) {
    this.#api = api;
    this.#routes = routes;
  }

  async readPage(log: RevisionLog, query: LogQuery): Promise<LogPage> {
    if (this.#hasOlderOnly !== true) {
      try {
        const page = await this.#readRevisionLog(log, query);
        this.#hasOlderOnly = false;
        return page;
      } catch (error) {
        if (this.#hasOlderOnly === false || !isUnsupported(error)) throw error;
      }
    }
    const page = await this.#readProjectLog(log, query);
    this.#hasOlderOnly = true;
    return page;
  }

  async #readRevisionLog(
    { deploymentId, revisionId, type }: RevisionLog,
    { order, limit, offset }: LogQuery,
  ): Promise<LogPage> {
    const query = { type, limit: String(limit), order, ...(offset !== undefined && { offset }) };
    const url = this.#routes.revisionLog(deploymentId, revisionId, query);
    return toLogPage(await this.#api.read(url, LogPageSchema), order);
  }

  async #readProjectLog({ deploymentId, revisionId, type }: RevisionLog, query: LogQuery): Promise<LogPage> {
    const url = this.#routes.projectLog(deploymentId, revisionId, `${type}_logs`);
    // A read, although it is a POST.
    const response = await this.#api.send("POST", url, retryIdempotent, query);
    return toLogPage(this.#api.parse(response, LogPageSchema), query.order);
  }
}
