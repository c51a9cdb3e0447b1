import * as v from "valibot";
import type { Context } from "../context.ts";
import { toError } from "../errors.ts";
import { proxyRefusal, proxyVariable } from "../http/proxy.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { deadline } from "./deadline.ts";
import {
  GitHubError,
  PassingError,
  ProxyRefusedError,
  type Purpose,
  RateLimitError,
  UnreadyError,
} from "./errors.ts";
import { type CallOptions, loadOctokit, type Octokit } from "./octokit.ts";
import { maxWaitMs, Pace } from "./pace.ts";
import { everyPage } from "./pages.ts";
import { isPassing, isRateLimit, type Refusal, refusalIn } from "./refusal.ts";
import { Repeats } from "./repeats.ts";
import { UnusableAnswerError, wholeFetch } from "./whole-fetch.ts";

export interface GitHubSettings {
  readonly token: string;
  /** `owner/name`. */
  readonly repository: string;
  /** Total for one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** After a cancel every call is short, so that the last ones end before the runner's kill (field guide, 1). */
const afterCancelMs = 900;
/** While GitHub leaves requests unanswered they get no more than this, in milliseconds: the deployment goes first. */
const unansweredMs = 5000;

type Call = (octokit: Octokit, options: CallOptions) => Promise<unknown>;
type PageCall = (octokit: Octokit, options: CallOptions, page: number) => Promise<unknown>;

/**
 * Sends requests to GitHub, one after the other: writes a second apart, none before a rate limit ends, each within
 * its time. Repeated is what GitHub itself put off, and a read that failed as it may in passing. Every method throws
 * GitHubError; what this action does wrong before GitHub is asked is thrown as it is.
 */
export class GitHubTransport {
  readonly #settings: GitHubSettings;
  readonly #context: Context;
  readonly #pace: Pace;
  readonly #repeats: Repeats;
  #octokit: Promise<Octokit> | undefined;
  /** False from a request without an answer up to the next answer. */
  #answers = true;
  #calls = 0;
  #furtherPages = 0;

  constructor(settings: GitHubSettings, context: Context) {
    this.#settings = settings;
    this.#context = context;
    this.#pace = new Pace(context);
    this.#repeats = new Repeats(this.#pace, context);
  }

  /** How often GitHub was called so far, further pages not counted. */
  get calls(): number {
    return this.#calls - this.#furtherPages;
  }

  read<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: Call,
  ): Promise<v.InferOutput<Schema>> {
    return this.#repeats.whileItStumbles(() => this.#call(purpose, schema, call));
  }

  /** All items of a list, of which `schema` is a page. Each page has its own time. */
  readPages<Item extends { readonly id: number }>(
    purpose: Purpose,
    schema: v.GenericSchema<unknown, Item[]>,
    call: PageCall,
  ): Promise<Item[]> {
    return everyPage(purpose, (page) => {
      if (page > 1) this.#furtherPages += 1;
      return this.read(purpose, schema, (octokit, options) => call(octokit, options, page));
    });
  }

  /** Sends it once, at least a second after the write before it. */
  async write<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: Call,
  ): Promise<v.InferOutput<Schema>> {
    await this.#pace.untilNextWrite();
    try {
      return await this.#call(purpose, schema, call);
    } finally {
      this.#pace.wrote();
    }
  }

  async #call<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: Call,
  ): Promise<v.InferOutput<Schema>> {
    const until = this.#pace.blockedUntil;
    await this.#waitOutBlock(
      new RateLimitError(purpose, 429, "GitHub asked to wait for its rate limit", { until }),
    );
    try {
      return await this.#once(purpose, schema, call);
    } catch (error) {
      if (!(error instanceof GitHubError) || this.#pace.blockedMs === 0) throw error;
      await this.#waitOutBlock(error);
      return await this.#once(purpose, schema, call);
    }
  }

  /** @throws `otherwise` where the rate limit lasts too long, or the run is cancelled. */
  async #waitOutBlock(otherwise: GitHubError): Promise<void> {
    if (this.#pace.blockedMs > maxWaitMs) throw otherwise;
    await this.#pace.untilUnblocked();
    if (this.#pace.blockedMs > 0) throw otherwise;
  }

  async #once<Schema extends v.GenericSchema>(
    purpose: Purpose,
    schema: Schema,
    call: Call,
  ): Promise<v.InferOutput<Schema>> {
    const { cancelled } = this.#context;
    if (cancelled.aborted && !this.#answers)
      throw new GitHubError(purpose, undefined, "not tried, because GitHub doesn't answer");
    this.#calls += 1;
    const { requestTimeoutMs } = this.#settings;
    const timeoutMs = this.#answers ? requestTimeoutMs : Math.min(requestTimeoutMs, unansweredMs);
    const time = deadline(timeoutMs, cancelled, afterCancelMs);
    let answer: unknown;
    try {
      answer = await this.#answerTo(purpose, call, time.signal);
    } finally {
      time.release();
    }
    const parsed = v.safeParse(schema, answer);
    if (parsed.success) return parsed.output;
    throw new GitHubError(purpose, undefined, "the answer is not what GitHub describes");
  }

  /** `signal`: aborted when the request's time is over. */
  async #answerTo(purpose: Purpose, call: Call, signal: AbortSignal): Promise<unknown> {
    const octokit = await this.#load(purpose);
    const plain: typeof fetch = octokit.request.endpoint.DEFAULTS.request?.fetch ?? fetch;
    const whole = wholeFetch(plain);
    let isAsked = false;
    const ask: typeof whole = (url, init) => {
      isAsked = true;
      return whole(url, init);
    };
    try {
      const answer = await call(octokit, { ...this.#ownerAndRepo(), request: { signal, fetch: ask } });
      this.#answers = true;
      this.#repeats.answered();
      return answer;
    } catch (thrown) {
      // Before GitHub is asked only this action's own code is at work; after that, Octokit may stumble over an answer.
      throw isAsked ? this.#failure(purpose, toError(thrown), signal.aborted) : thrown;
    }
  }

  get #baseUrl(): string {
    return this.#context.env.GITHUB_API_URL ?? "https://api.github.com";
  }

  #ownerAndRepo(): { owner: string; repo: string } {
    const [owner = "", repo = ""] = this.#settings.repository.split("/");
    return { owner, repo };
  }

  /** @throws UnreadyError where this machine's proxy, GitHub's address or the event's file can't be used */
  async #load(purpose: Purpose): Promise<Octokit> {
    const { redact } = this.#context;
    this.#octokit ??= loadOctokit(this.#settings.token, this.#baseUrl, redact);
    try {
      return await this.#octokit;
    } catch (thrown) {
      throw new UnreadyError(purpose, thrown, redact.words(toError(thrown).message));
    }
  }

  #failure(purpose: Purpose, error: Error, timedOut: boolean): GitHubError {
    // Where no answer came, Octokit's error says 500 too, but has no response.
    this.#answers = "response" in error && error.response !== undefined;
    const words = this.#context.redact.words(error.message);
    const refusal = refusalIn(error, words);
    if (refusal !== undefined) return this.#refused(purpose, refusal, error);
    if (timedOut) return new GitHubError(purpose, undefined, "no answer in time", error);
    const proxyStatus = proxyRefusal(error);
    if (proxyStatus !== undefined)
      return new ProxyRefusedError(
        purpose,
        proxyStatus,
        proxyVariable(new URL(this.#baseUrl).protocol),
        error,
      );
    // Octokit tells by the cause what went wrong while it was fetching; else it stumbled over what it had fetched.
    if (error.cause === undefined) return new GitHubError(purpose, undefined, senseless, error);
    if (error.cause instanceof UnusableAnswerError) return new GitHubError(purpose, undefined, words, error);
    return new PassingError(purpose, undefined, words, { pauseMs: undefined, cause: error });
  }

  #refused(purpose: Purpose, refusal: Refusal, error: Error): GitHubError {
    const { status, headers, words } = refusal;
    if (isPassing(refusal)) {
      const pauseMs = retryAfterMs(headers["retry-after"], this.#context.clock.now());
      return new PassingError(purpose, status, words, { pauseMs, cause: error });
    }
    this.#repeats.answered();
    const until = this.#pace.noteRefusal(refusal);
    return isRateLimit(refusal)
      ? new RateLimitError(purpose, status, words, { until, cause: error })
      : new GitHubError(purpose, status, words, error);
  }
}

const senseless = "the answer makes no sense; it may come from something before GitHub";
