import type { getOctokit } from "@actions/github";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { type HttpMethod, type RequestOptions, sendRequest, userAgent } from "../http/request.ts";
import { type FailureReason, failedBy } from "../http/request-error.ts";
import { describeResponse, unexpectedResponseFailure } from "../http/response.ts";
import { isObject, parseJson } from "../text/json.ts";
import { code, type Message, phrase, text } from "../text/message.ts";
import { notFromGitHubProblem } from "./operations.ts";

export type Octokit = ReturnType<typeof getOctokit>;

/** The action does not wait for a longer rate limit. */
const maxRateLimitSeconds = 60;

/**
 * Returns a client that retries requests without `sentOnce`, waits a second between writes, as GitHub asks, and waits once for
 * a short rate limit (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
 * `requestOptions`: for each attempt.
 */
export async function createOctokit(
  token: string,
  { workflow, githubDelays, cancelled, report }: Context,
  requestOptions: RequestOptions,
): Promise<Octokit> {
  // When it is imported, the package reads the event's file and GITHUB_API_URL, and throws if they are broken. `eager` keeps it
  // in the bundle's only file.
  const { getOctokit } = await import(/* webpackMode: "eager" */ "@actions/github").catch(failImport);
  const mayWait = (seconds: number, _options: unknown, _octokit: unknown, retryCount: number) => {
    const waits = retryCount === 0 && seconds <= maxRateLimitSeconds && !cancelled.aborted;
    if (waits) report.info(text`GitHub limits the requests of this token. Retrying in ${seconds} s.`);
    return waits;
  };
  const options = {
    baseUrl: workflow.apiUrl,
    userAgent,
    request: { fetch: fetchWithin(requestOptions) },
    retry: { retries: 2, ...githubDelays },
    throttle: { ...githubDelays, onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
  };
  return getOctokit(token, options, retry, throttling);
}

function failImport(cause: unknown): never {
  throw new Failure(text`${code("GITHUB_API_URL")} or the file in ${code("GITHUB_EVENT_PATH")} is broken.`, {
    hint: text`The runner sets both. Check that no earlier step changes them or the file.`,
    cause,
  });
}

/** Returns a `fetch` with a time limit and a limited response. */
function fetchWithin(options: RequestOptions) {
  return async (
    url: string,
    { method, headers, body }: { method: HttpMethod; headers: Record<string, string>; body?: string },
  ): Promise<Response> => {
    const request = {
      method,
      url: new URL(url),
      headers,
      hintFor: (_reason: FailureReason, connectionHint: Message) => connectionHint,
      body: body === undefined ? undefined : parseJson(body),
    };
    const response = await sendRequest(request, options).catch(throwUnretryable);
    // Octokit would treat a web page or an empty body like an empty list, and can't read a null of GraphQL.
    const json = parseJson(response.body);
    const isReadable = isObject(json) || Array.isArray(json);
    if (response.status < 400 && (response.status >= 300 || !isReadable)) {
      throw unexpectedResponseFailure(
        response,
        phrase`${notFromGitHubProblem}: ${describeResponse(response)}`,
      );
    }
    return new Response(response.body, response);
  };
}

/** Octokit does not retry an error named AbortError, so one that another attempt would only repeat gets that name. */
function throwUnretryable(error: unknown): never {
  if (!failedBy(error, "proxy")) throw error;
  throw Object.assign(new Error(String(error), { cause: error }), { name: "AbortError" });
}
