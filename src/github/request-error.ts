import * as v from "valibot";
import { toError } from "../errors.ts";
import { ConnectionError } from "../http/errors.ts";
import { proxyRefusal } from "../http/proxy.ts";
import { retryAfterMs } from "../http/retry.ts";
import { GitHubError, type Operation } from "./errors.ts";
import { GraphqlErrorsSchema, RefusalSchema } from "./schemas.ts";

type Headers = Readonly<Record<string, string>>;

const HeadersSchema = v.fallback(v.record(v.string(), v.string()), {});
/** An error of REST, of GraphQL, or of the plugin that knows rate limits. Without a response there was none. */
const OctokitErrorSchema = v.object({
  status: v.optional(v.number()),
  headers: v.optional(HeadersSchema),
  response: v.optional(v.looseObject({ headers: HeadersSchema, data: v.optional(v.unknown()) })),
});

const BodySchema = v.union([GraphqlErrorsSchema, RefusalSchema]);
/** What GitHub said: GraphQL throws the body, everything else the response. */
const SaidSchema = v.union([
  BodySchema,
  v.pipe(
    v.object({ data: BodySchema }),
    v.transform(({ data }) => data),
  ),
]);

/** After a secondary rate limit whose end GitHub does not say. */
const secondaryLimitMs = 60_000;

/** A request that another attempt would not help. Octokit hands on errors of this name as they are, without a retry. */
export class AbortError extends Error {
  override readonly name = "AbortError";

  constructor(message: string, cause?: ConnectionError) {
    super(message, { cause });
  }
}

/**
 * What Octokit threw, as this action reports it. `redact` removes secrets from what GitHub said.
 *
 * @throws what is no failure of a request
 */
export function toGitHubError(
  operation: Operation,
  thrown: unknown,
  redact: (text: string) => string,
  nowMs: number,
): GitHubError {
  const error = toError(thrown);
  if (error.cause instanceof ConnectionError) return connectionFailure(operation, error.cause, redact);
  if (error instanceof AbortError) {
    return new GitHubError(operation, error.message, { kind: "timeout", cause: error });
  }
  const parsed = v.safeParse(OctokitErrorSchema, thrown);
  if (!parsed.success || parsed.output.response === undefined) throw error;
  const { status, response } = parsed.output;
  const headers = parsed.output.headers ?? response.headers;
  const said = v.safeParse(SaidSchema, response);
  const why = redact(said.success ? said.output : error.message);
  if (status !== undefined && (status === 408 || status >= 500)) {
    const delayMs = retryAfterMs(headers["retry-after"], nowMs);
    const retryAt = delayMs === undefined ? undefined : nowMs + delayMs;
    return new GitHubError(operation, why, { kind: "transient", status, retryAt });
  }
  if (!isRateLimit(status, headers, why)) return new GitHubError(operation, why, { kind: "refused", status });
  return new GitHubError(operation, why, {
    kind: "rate_limit",
    status,
    retryAt: limitEnd(headers, why, nowMs),
  });
}

function connectionFailure(
  operation: Operation,
  error: ConnectionError,
  redact: (text: string) => string,
): GitHubError {
  const { message, hint, retryable } = error;
  const why = redact(message);
  if (proxyRefusal(error) !== undefined) {
    return new GitHubError(operation, why, { kind: "proxy", hint, cause: error });
  }
  return new GitHubError(operation, why, {
    kind: retryable ? "transient" : "invalid_response",
    cause: error,
  });
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function isRateLimit(status: number | undefined, headers: Headers, why: string): boolean {
  if (status === 429) return true;
  if (status !== undefined && status !== 403) return false;
  const isExhausted = status === 403 && limitEnd(headers, why, 0) !== undefined;
  return isExhausted || /rate limit/i.test(why);
}

/** When a rate limit ends, in milliseconds since the epoch, if the response says so. */
function limitEnd(headers: Headers, why: string, nowMs: number): number | undefined {
  const delayMs = retryAfterMs(headers["retry-after"], nowMs);
  if (delayMs !== undefined) return nowMs + delayMs;
  if (headers["x-ratelimit-remaining"] === "0") return Number(headers["x-ratelimit-reset"]) * 1000 || nowMs;
  return /secondary rate/i.test(why) ? nowMs + secondaryLimitMs : undefined;
}
