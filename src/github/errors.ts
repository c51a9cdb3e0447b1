import * as v from "valibot";
import { Failure, toError } from "../errors.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { retryAfterMs } from "../http/response-error.ts";
import { formatMinute } from "../text/format.ts";
import { code, input, joined, type Message, quote, text } from "../text/message.ts";

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
 * `refused`: a 4xx, or an error of GraphQL; `unavailable`: no response in time, no connection, 408 or 5xx; `proxy`: a proxy
 * let nothing through; `invalid_response`: a response that GitHub does not send.
 */
type GitHubErrorKind = "refused" | "rate_limit" | "unavailable" | "proxy" | "invalid_response";

interface GitHubFailure {
  readonly kind: GitHubErrorKind;
  /** Of the response; undefined without one, and for errors of GraphQL, which come with 200. */
  readonly status?: number | undefined;
  /** When a rate limit ends, in milliseconds since the epoch, if GitHub says so. */
  readonly retryAt?: number | undefined;
  /** By which GitHub's support finds the request. */
  readonly requestId?: string | undefined;
  /** By default one that names the permission. */
  readonly hint?: Message | undefined;
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
    const { kind, status, requestId, hint = hintFor(failure, permission), cause } = failure;
    const request = requestId === undefined ? undefined : text`, request ${code(requestId)}`;
    const withStatus = status === undefined ? undefined : text` (${status}${request})`;
    const reason = why === undefined ? text`.` : text`: ${why}`;
    super(text`Could not ${what} on GitHub${withStatus}${reason}`, { hint, cause });
    this.kind = kind;
    this.status = status;
    this.retryAt = failure.retryAt;
  }
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

/** An attempt that no other may follow: Octokit hands on errors of this name as they are. */
export class FinalError extends Error {
  override readonly name = "AbortError";

  /** Without a cause, GitHub took too long. */
  constructor(cause?: ConnectionError) {
    super(cause?.message ?? "no response in time", { cause });
  }
}

const HeadersSchema = v.record(v.string(), v.unknown());
/** An error of REST, of GraphQL, or of the plugin that knows rate limits. */
const OctokitErrorSchema = v.object({
  message: v.string(),
  status: v.optional(v.number()),
  errors: v.optional(v.array(v.object({ message: v.string() }))),
  headers: v.optional(HeadersSchema),
  response: v.optional(v.object({ headers: v.optional(HeadersSchema) })),
});

/** Whether GitHub certainly did not do what it was asked to. */
export function wasRejected(error: unknown): boolean {
  return error instanceof GitHubError && (error.kind === "refused" || error.kind === "rate_limit");
}

/** What Octokit threw, as this action reports it. @throws what is no failure of a request */
export function toGitHubError(operation: Operation, thrown: unknown, nowMs: number): GitHubError {
  const error = toError(thrown);
  if (error.cause instanceof ConnectionError) return connectionFailure(operation, error.cause);
  if (error instanceof FinalError) return lateError(operation, error);
  const parsed = v.safeParse(OctokitErrorSchema, thrown);
  if (!parsed.success) throw error;
  const { status, message, errors, response } = parsed.output;
  const headers = parsed.output.headers ?? response?.headers;
  if (headers === undefined) throw error;
  const requestId = textOf(headers["x-github-request-id"]);
  // Octokit adds the address of a page to GitHub's words.
  const words = errors?.map((each) => each.message).join(" ") ?? message.replace(/ - https:\S+$/, "");
  const why = words.trim() === "" ? undefined : text`${quote(words, 300)}.`;
  const failed = (kind: GitHubErrorKind, more: Partial<GitHubFailure> = {}) =>
    new GitHubError(operation, why, { kind, status, requestId, ...more });
  if (status !== undefined && (status === 408 || status >= 500)) return failed("unavailable");
  if (isRateLimit(status, headers, words)) {
    return failed("rate_limit", { retryAt: limitEnd(headers, nowMs) });
  }
  return failed("refused", /\blocked\b/i.test(words) ? { hint: lockedHint } : {});
}

/** https://docs.github.com/en/communities/moderating-comments-and-conversations/locking-conversations */
const lockedHint = text`The conversation of the pull request is locked. Unlock it, or set ${input("comment")} to ${code("false")}.`;

function lateError(operation: Operation, cause: Error): GitHubError {
  return new GitHubError(operation, text`no response in time.`, { kind: "unavailable", cause });
}

function connectionFailure(operation: Operation, error: ConnectionError): GitHubError {
  const { message: why, hint } = error.ending;
  if (error.kind === "timeout") return lateError(operation, error);
  if (error.kind === "proxy" || error.kind === "proxy_login") {
    return new GitHubError(operation, why, { kind: "proxy", hint, cause: error });
  }
  const kind = error.retryable ? "unavailable" : "invalid_response";
  return new GitHubError(operation, why, { kind, cause: error });
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function isRateLimit(
  status: number | undefined,
  headers: Readonly<Record<string, unknown>>,
  words: string,
): boolean {
  if (status === 429) return true;
  if (status !== undefined && status !== 403) return false;
  const isExhausted = headers["x-ratelimit-remaining"] === "0" || headers["retry-after"] !== undefined;
  return isExhausted || /rate limit/i.test(words);
}

/** Milliseconds since the epoch. */
function limitEnd(headers: Readonly<Record<string, unknown>>, nowMs: number): number | undefined {
  const delayMs = retryAfterMs(textOf(headers["retry-after"]), nowMs);
  return delayMs === undefined ? Number(headers["x-ratelimit-reset"]) * 1000 || undefined : nowMs + delayMs;
}

function textOf(header: unknown): string | undefined {
  return typeof header === "string" ? header : undefined;
}
