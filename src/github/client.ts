import * as v from "valibot";
import type { Context } from "../context.ts";
import { bestEffort } from "../errors.ts";
import { ConnectionError } from "../http/errors.ts";
import { mapStrings } from "../text/json.ts";
import { GitHubError, type Operation } from "./errors.ts";
import { sendForOctokit } from "./fetch.ts";
import { createOctokit, withoutRetry } from "./octokit.ts";
import { AbortError, toGitHubError } from "./request-error.ts";
import { ViewerSchema } from "./schemas.ts";
import { TaskQueue } from "./task-queue.ts";

export interface GitHubSettings {
  readonly token: string;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

type Parameters = Readonly<Record<string, unknown>>;
/** Items of a page, the most that GitHub sends. */
export const pageSize = 100;
/** While requests get no response, each gets no more time: before the write, the deployment waits for them. */
const silentTimeoutMs = 5000;
/** For everything that GitHub is still to be told after a cancel: the runner kills the process after 10 s. */
const afterCancelMs = 5000;
/** The same at the end of a run. */
const afterEndMs = 60_000;

/** Fields that are visible on GitHub, which masks no secrets in them. */
const visibleFields = ["body", "description", "environment_url", "payload"];

/** The client for a run, undefined without a token or outside of a workflow. */
export function connectGitHub(
  token: string | undefined,
  requestTimeoutMs: number,
  context: Context,
): GitHubClient | undefined {
  if (token === undefined || context.workflow.repository === "") return undefined;
  return new GitHubClient({ token, requestTimeoutMs }, context);
}

/** Reads and writes what GitHub holds of the run's repository. Every method throws GitHubError. */
export class GitHubClient {
  /** What GitHub is told beside the run. */
  readonly #queue = new TaskQueue();
  readonly #settings: GitHubSettings;
  readonly #context: Context;
  readonly #octokit: ReturnType<typeof createOctokit>;
  /** Aborted when GitHub gets no more time. A cancel alone does not end requests: record and comment still get their end. */
  readonly #timeUp = new AbortController();
  readonly #warned = new Set<string>();
  #viewer: string | undefined;
  /** Whether the last request got no response. */
  #isSilent = false;
  /** Set when all attempts of a request failed; cleared by the next response. Then nothing is retried. */
  #isDown = false;
  /** When a rate limit ends, in milliseconds since the epoch. */
  #limitedUntil = 0;

  constructor(settings: GitHubSettings, context: Context) {
    this.#settings = settings;
    this.#context = context;
    this.#octokit = createOctokit(settings.token, (url, options) => this.#fetch(url, options), context);
    const { cancelled } = context;
    if (cancelled.aborted) this.#endAfter(afterCancelMs);
    else cancelled.addEventListener("abort", () => this.#endAfter(afterCancelMs), { once: true });
  }

  /** Does something beside the run, after what was added before. */
  enqueue(task: () => Promise<void>): void {
    this.#queue.add(task);
  }

  /** Resolves when all that was enqueued is done, or GitHub took too long. @throws what is no failure of GitHub */
  async finish(): Promise<void> {
    this.#endAfter(afterEndMs);
    await this.#queue.end();
  }

  /** Reads from a path below the repository's. */
  async read<Schema extends v.GenericSchema>(
    operation: Operation,
    schema: Schema,
    path: string,
    query: Parameters = {},
  ): Promise<v.InferOutput<Schema>> {
    return parse(operation, schema, await this.#request(operation, "GET", path, query));
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
      const found = await this.read(operation, schema, path, { ...query, per_page: pageSize, page });
      const fresh = found.filter(({ id }) => !items.has(id));
      for (const item of fresh) items.set(item.id, item);
      if (found.length < pageSize || fresh.length === 0) return [...items.values()];
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

  /** Sends a write to a path below the repository's, once, unless a rate limit rejects it. */
  async write<Schema extends v.GenericSchema>(
    operation: Operation,
    schema: Schema,
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: Parameters = {},
  ): Promise<v.InferOutput<Schema>> {
    const content = await this.#request(operation, method, path, this.#redact(body));
    return parse(operation, schema, content);
  }

  /** Makes requests that the deployment does not depend on. A failure is a warning, once for each hint, and undefined. */
  async warnOnFailure<T>(call: () => Promise<T>): Promise<T | undefined> {
    // Without the signal: a failure after a cancel is no more than a warning either.
    const result = await bestEffort(call);
    if ("value" in result) return result.value;
    const { error } = result;
    if (!(error instanceof GitHubError)) throw error;
    const { log } = this.#context;
    // The hint of a rate limit holds its end, which changes.
    const subject = error.kind === "rate_limit" ? error.kind : error.hint;
    if (this.#warned.has(subject)) log.info(error.message);
    else log.warning(`${error.message} ${error.hint} This does not change the outcome of the step.`);
    this.#warned.add(subject);
    return undefined;
  }

  async #request(
    operation: Operation,
    method: string,
    path: string,
    parameters: Parameters,
  ): Promise<unknown> {
    const repository = this.#context.workflow.repository.split("/").map(encodeURIComponent).join("/");
    const response = await this.#send(operation, () =>
      this.#octokit.request({
        ...parameters,
        method,
        url: `/repos/${repository}${path}`,
        headers: { "x-github-api-version": "2022-11-28" },
        request: method === "GET" && !this.#isDown ? {} : withoutRetry,
      }),
    );
    return response.data;
  }

  async #send<T>(operation: Operation, send: () => Promise<T>): Promise<T> {
    const { clock, redact } = this.#context;
    if (this.#limitedUntil > clock.now()) {
      const why = "it was not sent, because GitHub asked this token to wait";
      throw new GitHubError(operation, why, { kind: "rate_limit", retryAt: this.#limitedUntil });
    }
    if (!URL.canParse(this.#context.workflow.apiUrl)) {
      throw new GitHubError(operation, "GITHUB_API_URL is not a URL", { kind: "invalid_response" });
    }
    try {
      const result = await endWith(this.#timeUp.signal, send);
      this.#isDown = false;
      return result;
    } catch (thrown) {
      const error = toGitHubError(operation, thrown, redact.text, clock.now());
      this.#isDown = error.kind === "transient" || error.kind === "timeout";
      // The primary limit of GraphQL is not that of REST.
      if (error.status !== undefined) this.#limitedUntil = error.retryAt ?? 0;
      throw error;
    }
  }

  /** One attempt. Its time counts in real time, because requests take real time. */
  async #fetch(url: string, options: unknown): Promise<Response> {
    const { requestTimeoutMs } = this.#settings;
    const timeoutMs = this.#isSilent ? Math.min(requestTimeoutMs, silentTimeoutMs) : requestTimeoutMs;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new AbortError("no response in time")), timeoutMs);
    const signal = AbortSignal.any([this.#timeUp.signal, timeout.signal]);
    this.#isSilent = true;
    try {
      const response = await sendForOctokit(url, options, { timeoutMs, signal });
      this.#isSilent = false;
      return response;
    } catch (error) {
      throw error instanceof ConnectionError && !error.retryable
        ? new AbortError(error.message, error)
        : error;
    } finally {
      clearTimeout(timer);
    }
  }

  #endAfter(delayMs: number): void {
    setTimeout(() => this.#timeUp.abort(new AbortError("no response in time")), delayMs).unref();
  }

  #redact(body: Parameters): Parameters {
    const { value } = this.#context.redact;
    const fields = Object.entries(body).map(([name, content]) =>
      visibleFields.includes(name) ? [name, mapStrings(content, value)] : [name, content],
    );
    return Object.fromEntries(fields);
  }
}

/** Settles like a call, or rejects as soon as the signal is aborted: Octokit's delays don't notice that. */
async function endWith<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([call(), promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function parse<Schema extends v.GenericSchema>(
  operation: Operation,
  schema: Schema,
  content: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, content);
  if (parsed.success) return parsed.output;
  throw new GitHubError(operation, "the response is not what GitHub describes", { kind: "invalid_response" });
}
