import * as v from "valibot";
import { ConnectionError } from "../http/errors.ts";
import { type HttpRequest, type HttpResponse, type RequestLimits, sendRequest } from "../http/request.ts";

/** A request as Octokit hands it to `fetch`. */
const FetchOptionsSchema = v.object({
  method: v.picklist(["GET", "POST", "PATCH", "DELETE"]),
  headers: v.record(v.string(), v.string()),
  body: v.optional(v.string()),
});

/** More than any page of a list has. */
const maxBytes = 10_000_000;
/** A renamed repository needs one. */
const maxRedirects = 3;

/**
 * `fetch` for Octokit over this action's own requests: they know proxies and limit the size of a response. What is not a
 * response of GitHub's is an error.
 *
 * @throws ConnectionError, and the reason of the signal
 */
export async function sendForOctokit(
  url: string,
  options: unknown,
  limits: Pick<RequestLimits, "timeoutMs" | "signal">,
): Promise<Response> {
  const { method, headers, body } = v.parse(FetchOptionsSchema, options);
  const request: HttpRequest = {
    method,
    url: new URL(url),
    headers,
    ...(body !== undefined && { body: JSON.parse(body) }),
    urlInput: "GITHUB_API_URL",
    timeoutInput: "request_timeout_seconds",
  };
  const response = await followRedirects(request, { ...limits, maxBytes });
  return toFetchResponse(response);
}

/** GitHub redirects requests for a renamed repository. Method and body are kept, and no other host gets the token. */
async function followRedirects(request: HttpRequest, limits: RequestLimits): Promise<HttpResponse> {
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

const withoutBody: readonly number[] = [204, 205];

function toFetchResponse(response: HttpResponse): Response {
  const { request, status, headers, text } = response;
  // No range was requested: https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7
  const isGitHubs = (status >= 200 && status < 300 && status !== 206) || (status >= 400 && status < 600);
  if (!isGitHubs) {
    const what = isRedirect(response) ? "the redirect was not followed" : "GitHub does not send this status";
    throw new ConnectionError(request, `${what} (${status})`, { sent: true, retryable: false, hint: "" });
  }
  const type = headers["content-type"];
  const known = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return new Response(withoutBody.includes(status) ? null : text, {
    status,
    headers: { ...Object.fromEntries(known), "content-type": type ?? "application/json" },
  });
}
