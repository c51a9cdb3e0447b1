import type { getOctokit } from "@actions/github";
import * as v from "valibot";
import { toError } from "../errors.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import type { Ports } from "../ports.ts";
import { GitHubError } from "./errors.ts";

export type Octokit = ReturnType<typeof getOctokit>;

export interface GitHubSettings {
  readonly token: string;
  /** `owner/name`. */
  readonly repository: string;
  /** Total for one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** What a call is for, as messages name it, and the permission that it needs. */
export interface Purpose {
  readonly what: string;
  readonly permission: string;
}

/** GitHub asks for a second between writes (docs.github.com, Best practices for using the REST API). */
const betweenWritesMs = 1000;
/** A rate limit that ends later than this isn't waited for. */
const longestBlockMs = 60_000;
/** After a cancel every call is short, so that the last ones end before the runner's kill (field guide, 1). */
const afterCancelMs = 1200;

/**
 * Sends requests to GitHub, one after the other: writes a second apart, none before a rate limit ends, each within
 * its time. Nothing is repeated but a request that GitHub itself put off.
 */
export class GitHubTransport {
  readonly #settings: GitHubSettings;
  readonly #ports: Ports;
  #octokit: Promise<Octokit> | undefined;
  #nextWriteAt = 0;
  #blockedUntil = 0;

  constructor(settings: GitHubSettings, ports: Ports) {
    this.#settings = settings;
    this.#ports = ports;
  }

  read<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: (octokit: Octokit, options: CallOptions) => Promise<unknown>,
  ): Promise<v.InferOutput<Schema>> {
    return this.#call(purpose, schema, call);
  }

  /** Like `read`, at least a second after the write before it. */
  async write<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: (octokit: Octokit, options: CallOptions) => Promise<unknown>,
  ): Promise<v.InferOutput<Schema>> {
    if (!this.#ports.cancelled.aborted) await this.#pauseUntil(this.#nextWriteAt);
    try {
      return await this.#call(purpose, schema, call);
    } finally {
      this.#nextWriteAt = this.#ports.clock.now() + betweenWritesMs;
    }
  }

  async #call<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: (octokit: Octokit, options: CallOptions) => Promise<unknown>,
  ): Promise<v.InferOutput<Schema>> {
    await this.#waitOutBlock(purpose);
    try {
      return await this.#once(purpose, schema, call);
    } catch (error) {
      if (!(error instanceof GitHubError) || this.#blockedUntil <= this.#ports.clock.now()) throw error;
      await this.#waitOutBlock(purpose, error);
      return await this.#once(purpose, schema, call);
    }
  }

  async #once<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: (octokit: Octokit, options: CallOptions) => Promise<unknown>,
  ): Promise<v.InferOutput<Schema>> {
    const [owner = "", repo = ""] = this.#settings.repository.split("/");
    const timeoutMs = this.#ports.cancelled.aborted ? afterCancelMs : this.#settings.requestTimeoutMs;
    let answer: unknown;
    try {
      const octokit = await this.#load();
      answer = await call(octokit, { owner, repo, request: { signal: AbortSignal.timeout(timeoutMs) } });
    } catch (thrown) {
      throw this.#failure(purpose, toError(thrown), timeoutMs);
    }
    const parsed = v.safeParse(schema, answer);
    if (parsed.success) return parsed.output;
    throw new GitHubError(
      purpose.what,
      purpose.permission,
      undefined,
      "the answer is not what GitHub describes",
    );
  }

  /** `@actions/github` costs more start-up than all the rest, so it is loaded when first used. */
  #load(): Promise<Octokit> {
    this.#octokit ??= import("@actions/github").then((github) => {
      const baseUrl = this.#ports.env.GITHUB_API_URL ?? "https://api.github.com";
      return github.getOctokit(this.#settings.token, { baseUrl, log: silent });
    });
    return this.#octokit;
  }

  #failure(purpose: Purpose, error: Error, timeoutMs: number): GitHubError {
    const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
    this.#noteBlock(error, status);
    const timedOut = error.name === "TimeoutError" || error.name === "AbortError";
    const words = timedOut ? `no answer within ${timeoutMs / 1000} s` : error.message;
    return new GitHubError(purpose.what, purpose.permission, timedOut ? undefined : status, words, error);
  }

  /** A rate limit: `retry-after`, or no requests left until a moment (docs.github.com, Rate limits for the REST API). */
  #noteBlock(error: Error, status: number | undefined): void {
    if (status !== 403 && status !== 429) return;
    const headers = headersOf(error);
    const now = this.#ports.clock.now();
    const afterMs = retryAfterMs(headers["retry-after"], now);
    if (afterMs !== undefined) this.#blockedUntil = now + afterMs;
    else if (headers["x-ratelimit-remaining"] === "0")
      this.#blockedUntil = Number(headers["x-ratelimit-reset"]) * 1000 || now;
  }

  async #waitOutBlock(purpose: Purpose, cause?: GitHubError): Promise<void> {
    const { clock, cancelled } = this.#ports;
    const remaining = this.#blockedUntil - clock.now();
    if (remaining <= 0) return;
    if (remaining > longestBlockMs || cancelled.aborted) {
      throw (
        cause ??
        new GitHubError(purpose.what, purpose.permission, 429, "GitHub asked to wait for its rate limit")
      );
    }
    await this.#pauseUntil(this.#blockedUntil);
  }

  async #pauseUntil(moment: number): Promise<void> {
    const { clock, cancelled } = this.#ports;
    const milliseconds = moment - clock.now();
    if (milliseconds > 0) await clock.sleep(milliseconds, cancelled);
  }
}

/** What every call passes on to Octokit. */
export interface CallOptions {
  readonly owner: string;
  readonly repo: string;
  readonly request: { readonly signal: AbortSignal };
}

/** Octokit warns on the console, past the log that makes text inert. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const HeadersSchema = v.looseObject({
  response: v.looseObject({ headers: v.record(v.string(), v.unknown()) }),
});

function headersOf(error: Error): Record<string, string | undefined> {
  const parsed = v.safeParse(HeadersSchema, error);
  if (!parsed.success) return {};
  return Object.fromEntries(
    Object.entries(parsed.output.response.headers).map(([name, value]) => [name, String(value)]),
  );
}
