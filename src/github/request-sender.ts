import type { IncomingHttpHeaders } from "node:http";
import * as v from "valibot";
import type { Context } from "../context.ts";
import { ConnectionError } from "../http/errors.ts";
import { proxyRefusal } from "../http/proxy.ts";
import { type HttpRequest, type HttpResponse, type RequestLimits, sendRequest } from "../http/request.ts";
import { responseText } from "../http/response-error.ts";
import { retryAfterMs } from "../http/retry.ts";
import { parseJson } from "../text/json.ts";
import { GitHubError, type Purpose } from "./errors.ts";
import { GraphqlErrorsSchema, RefusalSchema } from "./schemas.ts";

export interface GitHubSettings {
  readonly token: string;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** While requests get no response, each gets no more time: the deployment goes first. */
const silentTimeoutMs = 5000;
/** After a cancel, so that the last requests end before the runner kills the process. */
const cancelledTimeoutMs = 900;
/** More than any page of a list has. */
const maxBytes = 10_000_000;
/** A renamed repository needs one. */
const maxRedirects = 3;
/** After a secondary rate limit whose end GitHub does not say. */
const secondaryLimitMs = 60_000;

/**
 * Sends single requests to GitHub, none before a rate limit ends. A cancel does not abort them, but leaves them little
 * time: a record and a comment still have to get their end.
 */
export class RequestSender {
  readonly #settings: GitHubSettings;
  readonly #context: Context;
  /** When the rate limit ends, in milliseconds since the epoch. */
  #blockedUntil = 0;
  /** Cleared by a request without a response; set by the next response. */
  #isResponding = true;

  constructor(settings: GitHubSettings, context: Context) {
    this.#settings = settings;
    this.#context = context;
  }

  /** The JSON of a successful response, undefined if it has none. @throws GitHubError */
  async send(purpose: Purpose, method: HttpRequest["method"], url: URL, body?: unknown): Promise<unknown> {
    this.#requireSendable(purpose);
    const response = await this.#receive(purpose, { ...this.#request, method, url, body });
    this.#requireSuccess(purpose, response);
    const content = parseJson(response.text);
    const refused = v.safeParse(GraphqlErrorsSchema, content);
    if (refused.success) throw this.#refusal(purpose, undefined, response.headers, refused.output);
    return content;
  }

  #requireSendable(purpose: Purpose): void {
    if (this.#blockedUntil > this.#context.clock.now()) {
      const why = "it was not sent, because GitHub asked this token to wait";
      throw new GitHubError(purpose, why, { kind: "rate_limit", retryAt: this.#blockedUntil });
    }
    if (this.#context.cancelled.aborted && !this.#isResponding) {
      throw new GitHubError(purpose, "it was not sent, because GitHub does not respond", { kind: "timeout" });
    }
  }

  get #request() {
    const headers = {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${this.#settings.token}`,
      "x-github-api-version": "2022-11-28",
    };
    return { headers, urlInput: "GITHUB_API_URL", timeoutInput: "request_timeout_seconds" };
  }

  async #receive(purpose: Purpose, request: HttpRequest): Promise<HttpResponse> {
    const { requestTimeoutMs } = this.#settings;
    const timeoutMs = this.#isResponding ? requestTimeoutMs : Math.min(requestTimeoutMs, silentTimeoutMs);
    const deadline = startDeadline(timeoutMs, this.#context.cancelled);
    try {
      const response = await followRedirects(request, { timeoutMs, maxBytes, signal: deadline.signal });
      this.#isResponding = true;
      return response;
    } catch (error) {
      this.#isResponding = false;
      if (deadline.signal.aborted) throw new GitHubError(purpose, "no response in time", { kind: "timeout" });
      throw error instanceof ConnectionError ? this.#connectionFailure(purpose, error) : error;
    } finally {
      deadline.release();
    }
  }

  #connectionFailure(purpose: Purpose, error: ConnectionError): GitHubError {
    const { message, hint, retryable } = error;
    const why = this.#context.redact.text(message);
    if (proxyRefusal(error) !== undefined) {
      return new GitHubError(purpose, why, { kind: "proxy", hint, cause: error });
    }
    return new GitHubError(purpose, why, { kind: retryable ? "transient" : "unusable", cause: error });
  }

  #requireSuccess(purpose: Purpose, response: HttpResponse): void {
    const { status, headers, text } = response;
    const { clock, redact } = this.#context;
    if (status < 400 || status > 599) {
      // No range was requested: https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7
      if (status >= 200 && status < 300 && status !== 206) return;
      const why = isRedirect(response) ? "the redirect was not followed" : "GitHub does not send this status";
      throw new GitHubError(purpose, why, { kind: "unusable", status });
    }
    const refused = v.safeParse(RefusalSchema, parseJson(text));
    const why = refused.success ? refused.output : responseText(response, redact.text);
    if (status !== 408 && status < 500) throw this.#refusal(purpose, status, headers, why);
    const delayMs = retryAfterMs(headers["retry-after"], clock.now());
    const retryAt = delayMs === undefined ? undefined : clock.now() + delayMs;
    throw new GitHubError(purpose, redact.text(why), { kind: "transient", status, retryAt });
  }

  /** `status`: undefined for GraphQL. */
  #refusal(purpose: Purpose, status: number | undefined, headers: IncomingHttpHeaders, why: string) {
    const { clock, redact } = this.#context;
    const redacted = redact.text(why);
    if (!isRateLimit(status, headers, why))
      return new GitHubError(purpose, redacted, { kind: "refused", status });
    const retryAt = limitEnd(headers, why, clock.now());
    // The primary limit of GraphQL is not that of REST.
    const blocksAll = status !== undefined || headers["x-ratelimit-remaining"] !== "0";
    if (blocksAll && retryAt !== undefined) this.#blockedUntil = retryAt;
    return new GitHubError(purpose, redacted, { kind: "rate_limit", status, retryAt });
  }
}

/** GitHub redirects requests for a renamed repository. Method and body are kept, and no other host gets the token. */
async function followRedirects(request: HttpRequest, limits: RequestLimits): Promise<HttpResponse> {
  let response = await sendRequest(request, limits);
  for (let redirects = 0; redirects < maxRedirects && isRedirect(response); redirects += 1) {
    const url = URL.parse(response.headers.location ?? "", request.url.href);
    if (response.headers.location === undefined || url?.origin !== request.url.origin) return response;
    response = await sendRequest({ ...request, url }, limits);
  }
  return response;
}

function isRedirect({ status }: HttpResponse): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function isRateLimit(status: number | undefined, headers: IncomingHttpHeaders, why: string): boolean {
  if (status === 429) return true;
  if (status !== undefined && status !== 403) return false;
  const isExhausted = status === 403 && limitEnd(headers, why, 0) !== undefined;
  return isExhausted || /rate limit/i.test(why);
}

/** When a rate limit ends, in milliseconds since the epoch, if the response says so. */
function limitEnd(headers: IncomingHttpHeaders, why: string, nowMs: number): number | undefined {
  const delayMs = retryAfterMs(headers["retry-after"], nowMs);
  if (delayMs !== undefined) return nowMs + delayMs;
  if (headers["x-ratelimit-remaining"] === "0") return Number(headers["x-ratelimit-reset"]) * 1000 || nowMs;
  return /secondary rate limit/i.test(why) ? nowMs + secondaryLimitMs : undefined;
}

/** One deadline for a request and its redirects, shortened by a cancel; in real time, because requests take real time. */
function startDeadline(timeoutMs: number, cancelled: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timers = [setTimeout(abort, cancelled.aborted ? Math.min(timeoutMs, cancelledTimeoutMs) : timeoutMs)];
  const shorten = () => timers.push(setTimeout(abort, cancelledTimeoutMs));
  cancelled.addEventListener("abort", shorten, { once: true });
  return {
    signal: controller.signal,
    release() {
      for (const timer of timers) clearTimeout(timer);
      cancelled.removeEventListener("abort", shorten);
    },
  };
}
