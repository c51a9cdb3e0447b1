import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { type ThrottlingOptions, throttling } from "@octokit/plugin-throttling";
import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { ConnectionError } from "../http/connection-error.ts";
import {
  type HttpRequest,
  type HttpResponse,
  sendRequest,
  type TimeLimit,
  userAgent,
} from "../http/request.ts";
import { withTimer } from "../http/timeout.ts";
import { type Message, text } from "../text/message.ts";
import { AbortError, lateError } from "./errors.ts";
import type { WorkflowRun } from "./workflow-run.ts";

const GitHubOctokit = Octokit.plugin(retry, throttling);

/** What GitHub's client takes from a run. */
export interface GitHubContext {
  readonly workflow: WorkflowRun;
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
  readonly githubDelays?: GitHubDelays;
  readonly report: { info(message: Message): void; warning(message: Message): void };
}

/** Between writes, and for each second that a retry or a rate limit takes, in milliseconds. */
export type GitHubDelays = Pick<ThrottlingOptions, "write" | "notifications" | "retryAfterBaseValue">;

/** Of a read that fails for a moment. */
const maxRetries = 2;
/** Every 4xx but 408. A rate limit (429) is no matter of seconds. */
const doNotRetry = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 408);
/** For what must not be sent twice. A number above 0 would make the plugin ignore `doNotRetry`. */
export const withoutRetry = { retries: 0 };
/** A longer rate limit is not waited for. */
const maxRateLimitSeconds = 60;

/**
 * Octokit, which retries reads, keeps GitHub's distance between writes, and waits once for a short rate limit, but not
 * after a cancel (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
 */
export function createOctokit(
  token: string,
  { workflow, githubDelays, cancelled, report }: GitHubContext,
  limitOfAttempt: () => TimeLimit,
): InstanceType<typeof GitHubOctokit> {
  const mayWait = (seconds: number, _options: unknown, _octokit: unknown, retryCount: number) => {
    const waits = retryCount === 0 && seconds <= maxRateLimitSeconds && !cancelled.aborted;
    if (waits) report.info(text`GitHub limits the requests of this token. Retrying in ${seconds} s.`);
    return waits;
  };
  const ignore = () => {};
  return new GitHubOctokit({
    auth: token,
    baseUrl: workflow.apiUrl.replace(/\/$/, ""),
    userAgent,
    // Octokit would write to the console what servers sent.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    request: {
      log: { warn: ignore },
      fetch: (url: string, options: unknown) => sendAttempt(url, options, limitOfAttempt()),
    },
    retry: {
      doNotRetry,
      retries: maxRetries,
      retryAfterBaseValue: githubDelays?.retryAfterBaseValue ?? 1000,
    },
    throttle: { ...githubDelays, onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
  });
}

/** A request as Octokit hands it to `fetch`. */
const FetchOptionsSchema = v.object({
  method: v.picklist(["GET", "POST", "PATCH", "DELETE"]),
  headers: v.record(v.string(), v.string()),
  body: v.optional(v.string()),
});

/** More than any page of a list has. */
const maxBytes = 10_000_000;
/** GitHub redirects once for a renamed repository. */
const maxRedirects = 3;

/**
 * `fetch` for Octokit over this action's own requests, which know proxies and limit the size of a response. What is not a
 * response of GitHub's is an error. Its time counts in real time, because requests take real time.
 *
 * @throws ConnectionError, AbortError if another attempt would not help, and the reason of the signal
 */
async function sendAttempt(
  url: string,
  options: unknown,
  { timeoutMs, signal }: TimeLimit,
): Promise<Response> {
  const { method, headers, body } = v.parse(FetchOptionsSchema, options);
  const request: HttpRequest = {
    method,
    url: new URL(url),
    headers,
    ...(body !== undefined && { body: JSON.parse(body) }),
  };
  const send = (timeUp: AbortSignal) =>
    followRedirects(request, { timeoutMs, maxBytes, signal: AbortSignal.any([signal, timeUp]) });
  try {
    return toFetchResponse(await withTimer(timeoutMs, send, lateError()));
  } catch (error) {
    throw error instanceof ConnectionError && !error.retryable
      ? new AbortError(error.message, { cause: error })
      : error;
  }
}

/** GitHub redirects requests for a renamed repository. Method and body are kept, and no other host gets the token. */
async function followRedirects(
  request: HttpRequest,
  limits: Parameters<typeof sendRequest>[1],
): Promise<HttpResponse> {
  let response = await sendRequest(request, limits);
  for (let redirects = 0; redirects < maxRedirects && isRedirect(response); redirects += 1) {
    const url = URL.parse(response.headers.location ?? "", request.url.href);
    if (response.headers.location === undefined || url?.origin !== request.url.origin) break;
    response = await sendRequest({ ...request, url }, limits);
  }
  return response;
}

function isRedirect({ status }: HttpResponse): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function toFetchResponse(response: HttpResponse): Response {
  const { request, status, headers, text: body } = response;
  // No range was requested: https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7
  const isGitHubs = (status >= 200 && status < 300 && status !== 206) || (status >= 400 && status < 600);
  if (!isGitHubs) {
    const what = isRedirect(response)
      ? text`the redirect was not followed (${status})`
      : text`GitHub does not send this status (${status})`;
    throw new ConnectionError(request, what, { kind: "invalid_response", sent: true });
  }
  const known = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const result = new Response(status === 204 || status === 205 ? null : body, {
    status,
    headers: { "content-type": "application/json", ...Object.fromEntries(known) },
  });
  // After a redirect, the address that it led to: the constructor takes none.
  return Object.defineProperty(result, "url", { value: request.url.href });
}
