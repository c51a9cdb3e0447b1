import * as v from "valibot";
import { toResult } from "../errors.ts";
import type { TimeLimit } from "../http/request.ts";
import { settleOrAbort, withTimer } from "../http/timeout.ts";
import { code, rawText, text } from "../text/message.ts";
import { GitHubError, lateError, type Operation, toGitHubError } from "./errors.ts";
import { createOctokit, type GitHubContext, withoutRetry } from "./octokit.ts";
import { ViewerSchema } from "./schemas.ts";

interface GitHubSettings {
  readonly token: string;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

type Parameters = Readonly<Record<string, unknown>>;
/** Items of a page, the most that GitHub sends. */
export const pageSize = 100;
/** Shorter timeout while GitHub is down: before the write, the deployment waits for its requests. */
const downTimeoutMs = 5000;
/** For everything that GitHub is still to be told after a cancel: the runner kills the process after 10 s. */
const afterCancelMs = 5000;
/** The same at the end of a run. */
const afterEndMs = 60_000;

/** A write to a path below the repository's. */
interface WriteRequest<Schema> {
  readonly operation: Operation;
  /** Of the response. */
  readonly schema: Schema;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: Parameters;
}

/** The client for a run, undefined without a token or outside of a workflow. */
export function connectGitHub(
  token: string | undefined,
  requestTimeoutMs: number,
  context: GitHubContext,
): GitHubClient | undefined {
  if (token === undefined || context.workflow.repository === "") return undefined;
  return new GitHubClient({ token, requestTimeoutMs }, context);
}

/**
 * Reads and writes what GitHub holds of the run's repository. It sends texts as they are: `report/` makes those that people
 * see. Every method throws GitHubError.
 */
export class GitHubClient {
  readonly #settings: GitHubSettings;
  readonly #context: GitHubContext;
  readonly #octokit: ReturnType<typeof createOctokit>;
  /** What GitHub is told beside the run, in order. */
  #queue = Promise.resolve();
  readonly #bugs: unknown[] = [];
  /** Aborted when GitHub gets no more time. A cancel alone does not end requests: record and comment still get their end. */
  readonly #timeUp = new AbortController();
  readonly #warned = new Set<string>();
  #viewer: string | undefined;
  /** Set when all attempts of a request failed; cleared when one succeeds or is refused. Meanwhile nothing is retried. */
  #isDown = false;
  /** When a rate limit ends, in milliseconds since the epoch. */
  #limitedUntil = 0;

  constructor(settings: GitHubSettings, context: GitHubContext) {
    this.#settings = settings;
    this.#context = context;
    this.#octokit = createOctokit(settings.token, context, () => this.#limitOfAttempt());
    const { cancelled } = context;
    if (cancelled.aborted) this.#endAfter(afterCancelMs);
    else cancelled.addEventListener("abort", () => this.#endAfter(afterCancelMs), { once: true });
  }

  /** Does something beside the run, after what was added before. */
  enqueue(task: () => Promise<void>): void {
    this.#queue = this.#queue.then(task).catch((error: unknown) => void this.#bugs.push(error));
  }

  /** Resolves when all that was enqueued is done, or GitHub took too long. @throws what is no failure of GitHub */
  async finish(): Promise<void> {
    this.#endAfter(afterEndMs);
    await this.#queue;
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }

  /** Reads from a path below the repository's. */
  async read<Schema extends v.GenericSchema>(
    operation: Operation,
    schema: Schema,
    path: string,
    query: Parameters = {},
  ): Promise<v.InferOutput<Schema>> {
    return parse(operation, schema, (await this.#request(operation, "GET", this.#pathOf(path), query)).data);
  }

  /** All items of a list, each once: what is added meanwhile moves others to the next page. */
  async readPages<Item extends { readonly id: number }>(
    operation: Operation,
    schema: v.GenericSchema<unknown, Item[]>,
    path: string,
    query: Parameters = {},
  ): Promise<Item[]> {
    const items = new Map<number, Item>();
    for (let page = 1; ; page += 1) {
      const pageItems = await this.read(operation, schema, path, { ...query, per_page: pageSize, page });
      const fresh = pageItems.filter(({ id }) => !items.has(id));
      for (const item of fresh) items.set(item.id, item);
      if (pageItems.length < pageSize || fresh.length === 0) return [...items.values()];
    }
  }

  /** Reads the `data` of a GraphQL query. */
  async graphql<Schema extends v.GenericSchema>(
    operation: Operation,
    schema: Schema,
    query: string,
    variables: Parameters = {},
  ): Promise<v.InferOutput<Schema>> {
    const request = this.#isDown ? withoutRetry : {};
    const send = () => this.#octokit.graphql<unknown>(query, { ...variables, request });
    return parse(operation, schema, await this.#send(operation, send));
  }

  /** The login that the token writes as. REST does not show it to the token of a workflow. */
  async viewer(operation: Operation): Promise<string> {
    const query = "query { viewer { login } }";
    this.#viewer ??= (await this.graphql(operation, ViewerSchema, query)).viewer.login;
    return this.#viewer;
  }

  /** Sends a write once, unless a rate limit rejects it. */
  async write<Schema extends v.GenericSchema>({
    operation,
    schema,
    method,
    path,
    body = {},
  }: WriteRequest<Schema>): Promise<v.InferOutput<Schema>> {
    return parse(operation, schema, (await this.#request(operation, method, this.#pathOf(path), body)).data);
  }

  /** Makes a call that may take the time of one request, with all retries and delays. @throws GitHubError */
  async withinOneTimeout<T>(operation: Operation, call: () => Promise<T>): Promise<T> {
    const late = new GitHubError(operation, text`no response in time.`, { kind: "timeout" });
    const { requestTimeoutMs } = this.#settings;
    return await withTimer(requestTimeoutMs, (timeUp) => settleOrAbort(call(), timeUp), late);
  }

  /** Makes requests that the deployment does not depend on. A failure is a warning, once for each hint, and undefined. */
  async warnOnFailure<T>(call: () => Promise<T>): Promise<T | undefined> {
    // Without the signal: a failure after a cancel is no more than a warning either.
    const result = await toResult(call);
    if ("value" in result) return result.value;
    const { error } = result;
    if (!(error instanceof GitHubError)) throw error;
    const { report } = this.#context;
    // The hint of a rate limit holds its end, which changes.
    const subject = error.kind === "rate_limit" ? error.kind : rawText(error.ending.hint);
    if (this.#warned.has(subject)) report.info(error.ending.message);
    else
      report.warning(
        text`${error.ending.message} ${error.ending.hint} This does not change the outcome of the step.`,
      );
    this.#warned.add(subject);
    return undefined;
  }

  /** A path below the repository's. */
  #pathOf(path: string): string {
    return repositoryPath(this.#context.workflow.repository) + path;
  }

  async #request(
    operation: Operation,
    method: string,
    url: string,
    parameters: Parameters = {},
  ): Promise<{ readonly url: string; readonly data: unknown }> {
    return await this.#send(operation, () =>
      this.#octokit.request({
        ...parameters,
        method,
        url,
        headers: { "x-github-api-version": "2022-11-28" },
        request: method === "GET" && !this.#isDown ? {} : withoutRetry,
      }),
    );
  }

  async #send<T>(operation: Operation, send: () => Promise<T>): Promise<T> {
    const { clock, workflow } = this.#context;
    if (this.#limitedUntil > clock.now()) {
      const why = text`the request was not sent, because GitHub asked this token to wait.`;
      throw new GitHubError(operation, why, { kind: "rate_limit", retryAt: this.#limitedUntil });
    }
    if (!URL.canParse(workflow.apiUrl)) {
      const why = text`${code("GITHUB_API_URL")} is not a URL.`;
      throw new GitHubError(operation, why, { kind: "invalid_response" });
    }
    const { signal } = this.#timeUp;
    try {
      signal.throwIfAborted();
      // Octokit's own delays do not notice an abort.
      const result = await settleOrAbort(send(), signal);
      this.#isDown = false;
      return result;
    } catch (thrown) {
      const error = toGitHubError(operation, thrown, clock.now());
      this.#isDown = error.kind === "transient" || error.kind === "timeout";
      // The primary limit of GraphQL is not that of REST.
      if (error.status !== undefined) this.#limitedUntil = error.retryAt ?? 0;
      throw error;
    }
  }

  #limitOfAttempt(): TimeLimit {
    const { requestTimeoutMs } = this.#settings;
    const timeoutMs = this.#isDown ? Math.min(requestTimeoutMs, downTimeoutMs) : requestTimeoutMs;
    return { timeoutMs, signal: this.#timeUp.signal };
  }

  #endAfter(delayMs: number): void {
    setTimeout(() => this.#timeUp.abort(lateError()), delayMs).unref();
  }
}

/** `repository`: `owner/name`. */
function repositoryPath(repository: string): string {
  return `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
}

function parse<Schema extends v.GenericSchema>(
  operation: Operation,
  schema: Schema,
  content: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, content);
  if (parsed.success) return parsed.output;
  const why = text`the response is not what GitHub describes.`;
  throw new GitHubError(operation, why, { kind: "invalid_response" });
}
