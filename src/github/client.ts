import * as v from "valibot";
import type { Context } from "../context.ts";
import { Failure, toResult } from "../errors.ts";
import { settleOrAbort } from "../settle-or-abort.ts";
import { quote, rawText, text } from "../text/message.ts";
import { githubFailure, maybeTemporary, type Operation } from "./errors.ts";
import { createOctokit, type Octokit } from "./octokit.ts";
import { ViewerSchema } from "./schemas.ts";

interface GitHubApi {
  readonly octokit: Octokit;
  readonly repo: { readonly owner: string; readonly repo: string };
}

/** Makes a request, whose response has `data`. */
export type SendRequest = (api: GitHubApi) => Promise<{ readonly data: unknown }>;

/** Octokit's option for a write that must not be sent twice. */
export const sentOnce = { retries: 0 };
/** How long requests may take after a cancellation, in milliseconds: the runner kills the process after 10 s. */
const afterCancelMs = 5000;
/** How long requests may take after the end of a run, in milliseconds. */
const afterEndMs = 60_000;

/** Returns the client for a run, undefined without a token or outside of a workflow. */
export function connectGitHub(
  token: string | undefined,
  requestTimeoutMs: number,
  context: Context,
): GitHubClient | undefined {
  if (token === undefined || context.workflow.repository === "") return undefined;
  return new GitHubClient(token, requestTimeoutMs, context);
}

/** Reads and writes what GitHub holds of the run's repository. It sends texts as they are. */
export class GitHubClient {
  readonly #token: string;
  readonly #requestTimeoutMs: number;
  readonly #context: Context;
  #octokit: Promise<Octokit> | undefined;
  /** The requests that are made beside the run, one after the other. */
  #queue = Promise.resolve();
  /**
   * Aborted when GitHub's time is up. A cancellation alone ends no request: record and comment still show how the run ended.
   */
  readonly #timeUp = new AbortController();
  readonly #warned = new Set<string>();
  #viewer: string | undefined;

  /** `requestTimeoutMs`: the total time of one attempt, in milliseconds. */
  constructor(token: string, requestTimeoutMs: number, context: Context) {
    this.#token = token;
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#context = context;
    const { cancelled } = context;
    if (cancelled.aborted) this.#endAfter(afterCancelMs);
    else cancelled.addEventListener("abort", () => this.#endAfter(afterCancelMs), { once: true });
  }

  /** Makes requests beside the run, after those that were added before. A bug in one skips none, a failure is a warning. */
  enqueue(task: () => Promise<void>): void {
    this.#queue = this.#queue.finally(() => this.warnOnFailure(task));
    // `finish` throws the error of a bug.
    this.#queue.catch(() => {});
  }

  /** Resolves when all that was enqueued so far is done, however long GitHub takes. */
  get queued(): Promise<void> {
    return this.#queue;
  }

  /** Resolves when all that was enqueued is done, or after the time that GitHub has after a run. */
  async finish(): Promise<void> {
    this.#endAfter(afterEndMs);
    await this.#queue;
  }

  /** Makes a request and parses the `data` of its response. @throws RequestError */
  async call<Schema extends v.GenericSchema>(
    operation: Operation,
    schema: Schema,
    send: SendRequest,
  ): Promise<v.InferOutput<Schema>> {
    const [owner = "", repo = ""] = this.#context.workflow.repository.split("/");
    const { signal } = this.#timeUp;
    try {
      signal.throwIfAborted();
      const { report } = this.#context;
      const options = { timeoutMs: this.#requestTimeoutMs, signal, report };
      this.#octokit ??= createOctokit(this.#token, this.#context, options);
      const octokit = await this.#octokit;
      // Octokit's own delays do not notice an abort.
      const { data } = await settleOrAbort(send({ octokit, repo: { owner, repo } }), signal);
      const parsed = v.safeParse(schema, data);
      if (parsed.success) return parsed.output;
      const shown = quote(JSON.stringify(data ?? null), 300);
      throw new Failure(text`the response is not what GitHub describes: ${shown}.`, { hint: maybeTemporary });
    } catch (thrown) {
      throw githubFailure(operation, thrown);
    }
  }

  /** Returns the login that the token writes as. REST does not show it to the token of a workflow. @throws RequestError */
  async viewer(operation: Operation): Promise<string> {
    this.#viewer ??= await this.call(operation, ViewerSchema, async ({ octokit }) => ({
      data: await octokit.graphql("query { viewer { login } }"),
    }));
    return this.#viewer;
  }

  /** Makes requests that the deployment does not depend on. A failure is logged as a warning, once for each hint. */
  async warnOnFailure<T>(call: () => Promise<T>): Promise<T | undefined> {
    const result = await toResult(call, undefined);
    if ("value" in result) return result.value;
    const { report } = this.#context;
    const { message, hint } = result.error.ending;
    if (this.#warned.has(rawText(hint))) report.info(message);
    else report.warning(text`${message} ${hint} This does not change the outcome of the step.`);
    this.#warned.add(rawText(hint));
    return undefined;
  }

  #endAfter(delayMs: number): void {
    const timeUp = new Failure(text`no response in time.`, { hint: maybeTemporary });
    setTimeout(() => this.#timeUp.abort(timeUp), delayMs).unref();
  }
}
