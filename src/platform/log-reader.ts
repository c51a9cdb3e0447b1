import type { ApiClient } from "../http/api-client.ts";
import { retryIdempotent } from "../http/retry.ts";
import { isUnsupported } from "./error-kinds.ts";
import {
  type LogEndpoint,
  type LogEntry,
  type LogPage,
  LogPageSchema,
  type LogQuery,
  type RevisionLog,
  toLogPage,
} from "./revision-log.ts";
import type { routesBelow } from "./routes.ts";

/** Reads the logs of revisions. Not every platform has them. Throws like `ControlPlane`. */
export class LogReader {
  readonly #api: ApiClient;
  readonly #routes: ReturnType<typeof routesBelow>;

  constructor(api: ApiClient, routes: ReturnType<typeof routesBelow>) {
    this.#api = api;
    this.#routes = routes;
  }

  /** One page of a log, from one of the endpoints that a platform may have. */
  async readPage(log: RevisionLog, query: LogQuery, endpoint: LogEndpoint): Promise<LogPage> {
    const page =
      endpoint === "revision"
        ? await this.#readRevisionLog(log, query)
        : await this.#readProjectLog(log, query);
    return toLogPage(page, query.order);
  }

  #readRevisionLog({ deploymentId, revisionId, type }: RevisionLog, { order, limit, offset }: LogQuery) {
    const query = { type, limit: String(limit), order, ...(offset !== undefined && { offset }) };
    return this.#api.read(this.#routes.revisionLog(deploymentId, revisionId, query), LogPageSchema);
  }

  async #readProjectLog({ deploymentId, revisionId, type }: RevisionLog, query: LogQuery) {
    const url = this.#routes.projectLog(deploymentId, revisionId, `${type}_logs`);
    // A read, although it is a POST.
    return this.#api.parse(await this.#api.send("POST", url, retryIdempotent, query), LogPageSchema);
  }

  /** The last entries of a log, at most `limit`, oldest first, from whichever endpoint there is. */
  async readTail(log: RevisionLog, limit: number): Promise<readonly LogEntry[]> {
    const query = { order: "desc", limit } as const;
    try {
      return (await this.readPage(log, query, "revision")).entries;
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      return (await this.readPage(log, query, "project")).entries;
    }
  }
}
