import type { getOctokit } from "@actions/github";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import type { Context } from "../context.ts";
import { type HttpMethod, type RequestOptions, sendRequest, userAgent } from "../http/request.ts";
import { RequestError } from "../http/request-error.ts";
import { describeResponse, unexpectedResponseFailure } from "../http/response.ts";
import { parseJson } from "../text/json.ts";
import { text } from "../text/message.ts";

export type Octokit = ReturnType<typeof getOctokit>;

/** The action does not wait for a longer rate limit. */
const maxRateLimitSeconds = 60;

/**
 * Returns Octokit, which retries reads, keeps GitHub's distance of a second between writes, and waits once for a short rate
 * limit (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
 * `requestOptions`: of one attempt.
 */
export async function createOctokit(
  token: string,
  { workflow, githubDelays, cancelled, report }: Context,
  requestOptions: RequestOptions,
): Promise<Octokit> {
  // The package reads the event's file and GITHUB_API_URL when it is imported, and throws if they are broken. `eager` keeps it
  // in the bundle's only file.
  const { getOctokit } = await import(/* webpackMode: "eager" */ "@actions/github");
  const mayWait = (seconds: number, _options: unknown, _octokit: unknown, retryCount: number) => {
    const waits = retryCount === 0 && seconds <= maxRateLimitSeconds && !cancelled.aborted;
    if (waits) report.info(text`GitHub limits the requests of this token. Retrying in ${seconds} s.`);
    return waits;
  };
  const options = {
    baseUrl: workflow.apiUrl,
    userAgent,
    request: { fetch: fetchWithin(requestOptions) },
    retry: { retries: 2, retryAfterBaseValue: githubDelays?.retryAfterBaseValue ?? 1000 },
    throttle: { ...githubDelays, onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
  };
  return getOctokit(token, options, retry, throttling);
}

/** A request as Octokit hands it to `fetch`. */
interface FetchOptions {
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `fetch` over this action's own requests: with a total time, a limited response, and no redirect to another host. */
function fetchWithin(options: RequestOptions) {
  return async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const request = {
      method,
      url: new URL(url),
      headers,
      body: body === undefined ? undefined : parseJson(body),
    };
    const response = await sendRequest(request, options).catch(withoutRetry);
    // Octokit would take a web page or an empty body for an empty list.
    if (response.status < 400 && (response.status >= 300 || parseJson(response.body) === undefined)) {
      throw unexpectedResponseFailure(
        response,
        text`the response is not what GitHub describes: ${describeResponse(response)}`,
      );
    }
    return new Response(response.body, response);
  };
}

/** Octokit does not retry after an error of this name: another attempt would take as long. */
function withoutRetry(error: unknown): never {
  if (!(error instanceof RequestError) || !error.isTimeout) throw error;
  throw Object.assign(new Error(error.message, { cause: error }), { name: "AbortError" });
}
