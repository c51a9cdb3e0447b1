import * as v from "valibot";
import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { settleOrAbort } from "../settle-or-abort.ts";
import { quote, text } from "../text/message.ts";
import { runUrl } from "../workflow-run.ts";
import { createOctokit, type Octokit } from "./octokit.ts";
import { githubFailure, maybeTemporaryHint, notFromGitHubProblem, type Operation } from "./operations.ts";
import { ViewerSchema } from "./schemas.ts";

interface GitHubApi {
  readonly octokit: Octokit;
  readonly repo: { readonly owner: string; readonly repo: string };
  readonly runUrl: string;
}

export type SendRequest = (api: GitHubApi) => Promise<{ readonly data: unknown }>;

/** Octokit's option for a write that must not be sent twice. */
export const sentOnce = { retries: 0 };
/** Short, so that there is time for another attempt. */
const maxAttemptMs = 10_000;
/** The time for requests after a cancellation. The runner kills the process after 10 s. */
const afterCancelMs = 5000;
/** The time for requests after the end of a run. */
const afterEndMs = 60_000;

/** Sends requests about the run's repository to GitHub. Callers redact the texts that it sends. */
export class GitHubClient {
  readonly #context: Context;
  readonly #connect: () => Promise<Octokit>;
  #octokit: Promise<Octokit> | undefined;
  /** Aborted some time after a cancellation or the end of the run, so that record and comment can still show the outcome. */
  readonly #timeUp = new AbortController();
  #viewer: string | undefined;

  /** `requestTimeoutMs`: the total time of one attempt, at most 10 s. */
  constructor(token: string, requestTimeoutMs: number, context: Context) {
    const { report } = context;
    const timeoutMs = Math.min(requestTimeoutMs, maxAttemptMs);
    const options = { timeoutMs, cancelled: this.#timeUp.signal, report };
    this.#context = context;
    this.#connect = () => createOctokit(token, context, options);
    context.cancelled.addEventListener("abort", () => this.#endAfter(afterCancelMs), { once: true });
    report.ended.addEventListener("abort", () => this.#endAfter(afterEndMs), { once: true });
  }

  /** Makes a request and parses the `data` of its response. @throws Failure */
  async call<Schema extends v.GenericSchema>(
    operation: Operation,
    schema: Schema,
    send: SendRequest,
  ): Promise<v.InferOutput<Schema>> {
    const { workflow } = this.#context;
    const [owner = "", repo = ""] = workflow.repository.split("/");
    const { signal } = this.#timeUp;
    try {
      signal.throwIfAborted();
      this.#octokit ??= this.#connect();
      const octokit = await this.#octokit;
      // Octokit's own delays do not notice an abort.
      const api = { octokit, repo: { owner, repo }, runUrl: runUrl(workflow) };
      const { data } = await settleOrAbort(send(api), signal);
      const parsed = v.safeParse(schema, data);
      if (parsed.success) return parsed.output;
      const body = quote(JSON.stringify(data ?? null), 300);
      throw new Failure(text`${notFromGitHubProblem}: ${body}.`, { hint: maybeTemporaryHint });
    } catch (thrown) {
      throw githubFailure(operation, thrown);
    }
  }

  /** Returns the token's login. REST does not show it to the token of a workflow, but GraphQL does. @throws Failure */
  async viewer(operation: Operation): Promise<string> {
    this.#viewer ??= await this.call(operation, ViewerSchema, async ({ octokit }) => ({
      data: await octokit.graphql("query { viewer { login } }"),
    }));
    return this.#viewer;
  }

  /** Makes requests that a cancelled run does not need, until it is cancelled. */
  async untilCancelled<T>(call: () => Promise<T>): Promise<T> {
    return await settleOrAbort(call(), this.#context.cancelled);
  }

  #endAfter(delayMs: number): void {
    const timeUp = new Failure(text`no response in time.`, { hint: maybeTemporaryHint });
    setTimeout(() => this.#timeUp.abort(timeUp), delayMs).unref();
  }
}
