import { ActionError } from "../errors.ts";
import { formatMinute } from "../text/format.ts";
import { sanitizeSentence } from "../text/sanitize.ts";

/** What a request does, as messages name it, and the permission that it needs. */
export interface Operation {
  readonly what: string;
  readonly permission: string;
}

/** The permissions that the READMEs ask for: with lower ones, a later request of the same run would be refused. */
export const operations = {
  readRecords: { what: "reading the deployment records", permission: "deployments: write" },
  writeRecord: { what: "recording the deployment", permission: "deployments: write" },
  writeStatus: { what: "recording the deployment's status", permission: "deployments: write" },
  readPullRequest: { what: "reading the pull request", permission: "pull-requests: write" },
  /** For sweep, which writes no comment. */
  readSweptPullRequest: { what: "reading the pull request", permission: "pull-requests: read" },
  readComments: { what: "reading the comments", permission: "pull-requests: write" },
  writeComment: { what: "writing the comment", permission: "pull-requests: write" },
  readContents: { what: "reading the repository", permission: "contents: read" },
} satisfies Record<string, Operation>;

/**
 * `refused`: a 4xx, or an error of GraphQL; `transient`: no connection, 408 or 5xx; `timeout`: no response in time;
 * `proxy`: a proxy let nothing through; `invalid_response`: a response that GitHub does not send.
 */
export type GitHubErrorKind =
  | "refused"
  | "rate_limit"
  | "transient"
  | "timeout"
  | "proxy"
  | "invalid_response";

interface GitHubFailure {
  readonly kind: GitHubErrorKind;
  /** Of the response; undefined without one, and for errors of GraphQL, which come with 200. */
  readonly status?: number | undefined;
  /** When GitHub accepts the request again, in milliseconds since the epoch, if it says so. */
  readonly retryAt?: number | undefined;
  /** Instead of the hint that belongs to the kind. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A request to GitHub failed. The hint names the permission if that may be missing. */
export class GitHubError extends ActionError {
  override readonly name = "GitHubError";
  readonly kind: GitHubErrorKind;
  readonly status: number | undefined;
  readonly retryAt: number | undefined;

  constructor({ what, permission }: Operation, why: string, failure: GitHubFailure) {
    const { kind, status, retryAt, hint = hintFor(failure, permission), cause } = failure;
    const withStatus = status === undefined ? "" : ` with ${status}`;
    super(`GitHub: ${what} failed${withStatus}: ${sanitizeSentence(why, 300)}`, {
      code: "github",
      hint,
      cause,
    });
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

function hintFor({ kind, status, retryAt }: GitHubFailure, permission: string): string {
  if (kind === "rate_limit") {
    const end = retryAt === undefined ? undefined : formatMinute(retryAt);
    return `GitHub limits the requests of each token. ${end ? `This one may send more after ${end}.` : "It did not say until when."}`;
  }
  if (kind === "invalid_response")
    return "Check GITHUB_API_URL, and any proxy between this runner and GitHub.";
  if (status === 401) return "Check github_token.";
  if (status === 403 || status === 404) {
    return `Add "${permission}" to the job's permissions, and check that github_token is the token of this job.`;
  }
  return `The problem may be temporary. The job needs the permission "${permission}".`;
}
