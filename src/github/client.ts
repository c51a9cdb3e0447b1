import * as v from "valibot";
import type { Context } from "../context.ts";
import { type ActionError, bestEffort } from "../errors.ts";
import { withRetry } from "../http/retry.ts";
import { asObject, mapStrings } from "../text/json.ts";
import { GitHubError, type Purpose, wasRejected } from "./errors.ts";
import { type GitHubSettings, RequestSender } from "./request-sender.ts";
import { ViewerSchema } from "./schemas.ts";
import { TaskQueue } from "./task-queue.ts";

type Query = Readonly<Record<string, string | number | undefined>>;
type Body = Readonly<Record<string, unknown>>;

/** Items of a page, the most that GitHub sends. */
export const pageSize = 100;
/** A hundred thousand items. This only ends a list that a server never ends. */
const maxPages = 1000;

/** https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
const betweenWritesMs = 1000;
const maxReadAttempts = 3;
/** After a rate limit. */
const maxWriteAttempts = 2;
/** No retry starts later than this after the first attempt. */
const maxRetryMs = 60_000;

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
  readonly queue = new TaskQueue();
  readonly #sender: RequestSender;
  readonly #context: Context;
  readonly #warned = new Set<string>();
  #viewer: string | undefined;
  #nextWriteAt = 0;
  /** Set when all attempts of a read failed; cleared by the next response. */
  #isDown = false;

  constructor(settings: GitHubSettings, context: Context) {
    this.#sender = new RequestSender(settings, context);
    this.#context = context;
  }

  /** Reads from a path below the repository's. */
  async read<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    path: string,
    query: Query = {},
  ): Promise<v.InferOutput<Schema>> {
    const url = this.#url(purpose, path, query);
    return parse(purpose, schema, await this.#retryRead(() => this.#sender.send(purpose, "GET", url)));
  }

  /** All items of a list, each once: what is added meanwhile moves others to the next page. */
  async readPages<Item extends { readonly id: number }>(
    purpose: Purpose,
    schema: v.GenericSchema<unknown, Item[]>,
    path: string,
    query: Query = {},
  ): Promise<Item[]> {
    const items = new Map<number, Item>();
    for (let page = 1; page <= maxPages; page += 1) {
      const found = await this.read(purpose, schema, path, { ...query, per_page: pageSize, page });
      const fresh = found.filter(({ id }) => !items.has(id));
      for (const item of fresh) items.set(item.id, item);
      if (found.length < pageSize || fresh.length === 0) return [...items.values()];
    }
    throw new GitHubError(purpose, `the list has more than ${maxPages} pages`, { kind: "unusable" });
  }

  /** Reads the `data` of a GraphQL query. */
  async graphql<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    query: string,
    variables?: Body,
  ): Promise<v.InferOutput<Schema>> {
    const url = this.#graphqlUrl(purpose);
    const send = () => this.#sender.send(purpose, "POST", url, { query, variables });
    return parse(purpose, schema, asObject(await this.#retryRead(send))?.data);
  }

  /** The login that the token writes as. REST does not show it to the token of a workflow. */
  async viewer(purpose: Purpose): Promise<string> {
    const query = "query { viewer { login } }";
    this.#viewer ??= (await this.graphql(purpose, ViewerSchema, query)).viewer.login;
    return this.#viewer;
  }

  /** Sends a write to a path below the repository's, once, unless a rate limit rejects it. */
  async write<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body?: Body,
  ): Promise<v.InferOutput<Schema>> {
    const url = this.#url(purpose, path);
    const redacted = body && this.#redact(body);
    const send = async () => {
      await this.#waitForNextWrite();
      try {
        return await this.#sender.send(purpose, method, url, redacted);
      } finally {
        this.#nextWriteAt = this.#context.clock.now() + betweenWritesMs;
      }
    };
    return parse(purpose, schema, await this.#retry(send, maxWriteAttempts, hasKnownEnd));
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

  async #retryRead(send: () => Promise<unknown>): Promise<unknown> {
    const isRetryable = (error: GitHubError) =>
      hasKnownEnd(error) || (error.kind === "transient" && !this.#isDown);
    try {
      return await this.#retry(send, maxReadAttempts, isRetryable);
    } catch (error) {
      if (error instanceof GitHubError && error.kind === "transient") this.#isDown = true;
      throw error;
    }
  }

  /** A cancel ends the delay before a retry: then the last error is thrown, as without a retry. */
  async #retry(
    send: () => Promise<unknown>,
    maxAttempts: number,
    isRetryable: (error: GitHubError) => boolean,
  ): Promise<unknown> {
    const { clock, cancelled } = this.#context;
    let failure: GitHubError | undefined;
    const shouldRetry = (error: ActionError) => {
      if (!(error instanceof GitHubError)) return undefined;
      failure = error;
      if (wasRejected(error)) this.#isDown = false;
      if (cancelled.aborted || !isRetryable(error)) return undefined;
      return { retryAfterMs: error.retryAt && error.retryAt - clock.now() };
    };
    const policy = { maxAttempts, deadline: clock.now() + maxRetryMs, firstDelayMs: 2000, maxDelayMs: 2000 };
    try {
      const content = await withRetry(send, shouldRetry, policy, this.#context);
      this.#isDown = false;
      return content;
    } catch (error) {
      throw error === cancelled.reason && failure !== undefined ? failure : error;
    }
  }

  async #waitForNextWrite(): Promise<void> {
    const { clock, cancelled } = this.#context;
    const delayMs = this.#nextWriteAt - clock.now();
    if (delayMs <= 0 || cancelled.aborted) return;
    try {
      await clock.sleep(delayMs, cancelled);
    } catch (error) {
      // After a cancel there is no time to wait.
      if (!cancelled.aborted) throw error;
    }
  }

  #url(purpose: Purpose, path: string, query: Query = {}): URL {
    const repository = this.#context.workflow.repository.split("/").map(encodeURIComponent).join("/");
    const url = this.#apiUrl(purpose, `/repos/${repository}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  /** On GitHub Enterprise Server, GraphQL is not below the path of REST. */
  #graphqlUrl(purpose: Purpose): URL {
    const url = this.#apiUrl(purpose, "/graphql");
    url.pathname = url.pathname.replace(/\/api\/v3\/graphql$/, "/api/graphql");
    return url;
  }

  #apiUrl(purpose: Purpose, path: string): URL {
    const url = URL.parse(`${this.#context.workflow.apiUrl.replace(/\/$/, "")}${path}`);
    if (url === null) throw new GitHubError(purpose, "GITHUB_API_URL is not a URL", { kind: "unusable" });
    return url;
  }

  #redact(body: Body): Body {
    const { value } = this.#context.redact;
    const fields = Object.entries(body).map(([name, content]) =>
      visibleFields.includes(name) ? [name, mapStrings(content, value)] : [name, content],
    );
    return Object.fromEntries(fields);
  }
}

function hasKnownEnd({ kind, retryAt }: GitHubError): boolean {
  return kind === "rate_limit" && retryAt !== undefined;
}

function parse<Schema extends v.GenericSchema>(
  purpose: Purpose,
  schema: Schema,
  content: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, content);
  if (parsed.success) return parsed.output;
  throw new GitHubError(purpose, "the response is not what GitHub describes", { kind: "unusable" });
}
