import * as v from "valibot";
import { Failure, toError } from "../errors.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { retryAfterMs } from "../http/retry.ts";
import { formatMinute } from "../text/format.ts";
import { code, input, joined, type Message, quote, text } from "../text/message.ts";
import { GraphqlErrorsSchema, RefusalSchema } from "./schemas.ts";

/** What a request does, as messages name it, and the permission that it needs. */
export interface Operation {
  readonly what: Message;
  readonly permission: string;
}

/** The permissions that the READMEs ask for: with lower ones, a later request of the same run would be refused. */
export const operations = {
  readRecords: { what: text`read the deployment records`, permission: "deployments: write" },
  writeRecord: { what: text`record the deployment`, permission: "deployments: write" },
  writeStatus: { what: text`record the deployment's status`, permission: "deployments: write" },
  readPullRequest: { what: text`read the pull request`, permission: "pull-requests: write" },
  /** For sweep, which writes no comment. */
  readSweptPullRequest: { what: text`read the pull request`, permission: "pull-requests: read" },
  readComments: { what: text`read the comments`, permission: "pull-requests: write" },
  writeComment: { what: text`write the comment`, permission: "pull-requests: write" },
  readContents: { what: text`read the repository`, permission: "contents: read" },
} satisfies Record<string, Operation>;

/** What does not happen without a permission, as a sentence. */
const lostWithout: Readonly<Record<string, Message>> = {
  "deployments: write": text`Without it, deployments are neither recorded nor found by the sweep action.`,
  "pull-requests: write": text`Without it, previews get no comment.`,
};

/**
 * `refused`: a 4xx, or an error of GraphQL; `transient`: no connection, 408 or 5xx; `timeout`: no response in time;
 * `proxy`: a proxy let nothing through; `invalid_response`: a response that GitHub does not send.
 */
type GitHubErrorKind = "refused" | "rate_limit" | "transient" | "timeout" | "proxy" | "invalid_response";

interface GitHubFailure {
  readonly kind: GitHubErrorKind;
  /** Of the response; undefined without one, and for errors of GraphQL, which come with 200. */
  readonly status?: number | undefined;
  /** When GitHub accepts the request again, in milliseconds since the epoch, if it says so. */
  readonly retryAt?: number | undefined;
  /** Instead of the hint that belongs to the kind. */
  readonly hint?: Message;
  readonly cause?: unknown;
}

/** A request to GitHub failed. The hint names the permission if that may be missing. */
export class GitHubError extends Failure {
  override readonly name = "GitHubError";
  readonly kind: GitHubErrorKind;
  readonly status: number | undefined;
  readonly retryAt: number | undefined;

  /** `why`: a sentence; undefined if GitHub did not say. */
  constructor({ what, permission }: Operation, why: Message | undefined, failure: GitHubFailure) {
    const { kind, status, retryAt, hint = hintFor(failure, permission), cause } = failure;
    const withStatus = status === undefined ? undefined : text` (${status})`;
    const reason = why === undefined ? text`.` : text`: ${why}`;
    super(text`Could not ${what} on GitHub${withStatus}${reason}`, { hint, cause });
    this.kind = kind;
    this.status = status;
    this.retryAt = retryAt;
  }
}

/** Whether GitHub certainly did not do what it was asked to. */
export function wasRejected(error: unknown): boolean {
  if (!(error instanceof GitHubError)) return false;
  return error.kind === "refused" || error.kind === "rate_limit" || error.status === 408;
}

function hintFor({ kind, status, retryAt }: GitHubFailure, permission: string): Message {
  if (kind === "rate_limit") {
    // Rounded up: before that time, a request is refused.
    const end = retryAt === undefined ? undefined : formatMinute(retryAt + 59_999);
    const until =
      end === undefined
        ? text`It did not say when requests are allowed again.`
        : text`This one may send more after ${code(end)}.`;
    return text`GitHub limits the requests of each token. ${until}`;
  }
  if (kind === "invalid_response") {
    return text`Check ${code("GITHUB_API_URL")}, and any proxy between this runner and GitHub.`;
  }
  if (status === 401) return text`Check ${input("github_token")}.`;
  if (status === 403 || status === 404) {
    const add = text`Add "${code(permission)}" to the job's ${code("permissions")}. If you set ${input("github_token")}, that token needs it.`;
    return joined([add, lostWithout[permission]]);
  }
  return text`The problem may be temporary. The job needs the permission "${code(permission)}".`;
}

/** A request that another attempt would not help. Octokit hands on errors of this name as they are, without a retry. */
export class AbortError extends Error {
  override readonly name = "AbortError";
}

/** GitHub took too long: to send the same again would take even longer. */
export function lateError(): AbortError {
  return new AbortError("no response in time");
}

type Headers = Readonly<Record<string, string>>;

const HeadersSchema = v.fallback(v.record(v.string(), v.string()), {});
/** An error of REST, of GraphQL, or of the plugin that knows rate limits. Without a response there was none. */
const OctokitErrorSchema = v.object({
  status: v.optional(v.number()),
  headers: v.optional(HeadersSchema),
  response: v.optional(v.looseObject({ headers: HeadersSchema, data: v.optional(v.unknown()) })),
});

const BodySchema = v.union([GraphqlErrorsSchema, RefusalSchema]);
/** GitHub's words: GraphQL throws the body, everything else the response. */
const WordsSchema = v.union([
  BodySchema,
  v.pipe(
    v.object({ data: BodySchema }),
    v.transform(({ data }) => data),
  ),
]);

/** After a secondary rate limit whose end GitHub does not say. */
const secondaryLimitMs = 60_000;

/** What Octokit threw, as this action reports it. @throws what is no failure of a request */
export function toGitHubError(operation: Operation, thrown: unknown, nowMs: number): GitHubError {
  const error = toError(thrown);
  if (error.cause instanceof ConnectionError) return connectionFailure(operation, error.cause);
  if (error instanceof AbortError) {
    return new GitHubError(operation, text`no response in time.`, { kind: "timeout", cause: error });
  }
  const parsed = v.safeParse(OctokitErrorSchema, thrown);
  if (!parsed.success || parsed.output.response === undefined) throw error;
  const { status, response } = parsed.output;
  const headers = parsed.output.headers ?? response.headers;
  const parsedWords = v.safeParse(WordsSchema, response);
  const words = parsedWords.success ? parsedWords.output : error.message;
  const why = words.trim() === "" ? undefined : text`${quote(words, 300)}.`;
  if (status !== undefined && (status === 408 || status >= 500)) {
    const delayMs = retryAfterMs(headers["retry-after"], nowMs);
    const retryAt = delayMs === undefined ? undefined : nowMs + delayMs;
    return new GitHubError(operation, why, { kind: "transient", status, retryAt });
  }
  if (!isRateLimit(status, headers, words)) {
    return new GitHubError(operation, why, { kind: "refused", status });
  }
  const retryAt = limitEnd(headers, words, nowMs);
  return new GitHubError(operation, why, { kind: "rate_limit", status, retryAt });
}

function connectionFailure(operation: Operation, error: ConnectionError): GitHubError {
  const { retryable } = error;
  const { message: why, hint } = error.ending;
  if (error.kind === "proxy" || error.kind === "proxy_login") {
    return new GitHubError(operation, why, { kind: "proxy", hint, cause: error });
  }
  const kind = retryable ? "transient" : "invalid_response";
  return new GitHubError(operation, why, { kind, cause: error });
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function isRateLimit(status: number | undefined, headers: Headers, words: string): boolean {
  if (status === 429) return true;
  if (status !== undefined && status !== 403) return false;
  const isExhausted = status === 403 && limitEnd(headers, words, 0) !== undefined;
  return isExhausted || /rate limit/i.test(words);
}

/** When a rate limit ends, in milliseconds since the epoch, if the response says so. */
function limitEnd(headers: Headers, words: string, nowMs: number): number | undefined {
  const delayMs = retryAfterMs(headers["retry-after"], nowMs);
  if (delayMs !== undefined) return nowMs + delayMs;
  if (headers["x-ratelimit-remaining"] === "0") return Number(headers["x-ratelimit-reset"]) * 1000 || nowMs;
  return /secondary rate/i.test(words) ? nowMs + secondaryLimitMs : undefined;
}
