import { ActionError } from "../errors.ts";
import { formatMinute } from "../text/minute.ts";
import { sanitizeSentence } from "../text/sanitize.ts";

/** What a call is for, as messages name it, and the permission that it needs. */
export interface Purpose {
  readonly what: string;
  readonly permission: string;
}

/** A request to GitHub failed. What it was for is told, and the permission that a workflow may be missing. */
export class GitHubError extends ActionError {
  override readonly name: string = "GitHubError";
  readonly hint: string;
  /** By kind, and by the permission where that may be missing: failures of one trouble have one remedy. */
  readonly trouble: string;
  /** Undefined where no answer came, or GraphQL refused, which it does with 200. */
  readonly status: number | undefined;

  constructor({ what, permission }: Purpose, status: number | undefined, words: string, cause?: unknown) {
    super(
      `GitHub: ${what} failed${status === undefined ? "" : ` with ${status}`}: ${sanitizeSentence(words, 300)}`,
      { cause },
    );
    this.status = status;
    const { trouble, hint } = remedyFor(status, permission);
    this.trouble = trouble;
    this.hint = hint;
  }
}

/**
 * GitHub, or the way to it, stumbled: no connection, one that broke, a 408 or a 5xx. A read may be repeated after it
 * (contract, 3.1).
 */
export class PassingError extends GitHubError {
  override readonly name = "PassingError";
  /** How long GitHub asks to be left alone, in milliseconds, where it does. */
  readonly pauseMs: number | undefined;

  constructor(
    purpose: Purpose,
    status: number | undefined,
    words: string,
    { pauseMs, cause }: { readonly pauseMs: number | undefined; readonly cause: unknown },
  ) {
    super(purpose, status, words, cause);
    this.pauseMs = pauseMs;
  }
}

/** The proxy on the way to GitHub refused to let the request through. */
export class ProxyRefusedError extends GitHubError {
  override readonly name = "ProxyRefusedError";
  override readonly trouble: string;
  override readonly hint: string;

  /** `status`: the proxy's; `variable`: the one that holds its address. */
  constructor(purpose: Purpose, status: number, variable: string, cause: unknown) {
    super(purpose, undefined, `the proxy refused the connection with ${status}`, cause);
    this.trouble = `proxy ${status}`;
    this.hint =
      status === 407
        ? `Check the user and password in ${variable}.`
        : `Check that the proxy in ${variable} lets this runner reach GitHub; NO_PROXY names hosts that are asked directly.`;
  }
}

/** What talks to GitHub can't be made ready on this runner, so that GitHub was not asked. */
export class UnreadyError extends GitHubError {
  override readonly name = "UnreadyError";
  override readonly trouble = "unready";
  override readonly hint: string =
    "GitHub wasn't asked: check this runner's GITHUB_API_URL, its proxy variables, and the event's file in GITHUB_EVENT_PATH.";

  constructor(purpose: Purpose, cause: unknown, words: string) {
    super(purpose, undefined, words, cause);
  }
}

/** A list has more pages than any can have, so that it isn't known in whole. */
export class EndlessListError extends GitHubError {
  override readonly name = "EndlessListError";
  override readonly trouble = "endless list";
  override readonly hint: string =
    "No repository has that many, so the list seems never to end: check what stands between this runner and GitHub.";

  constructor(purpose: Purpose, pages: number) {
    super(purpose, undefined, `the list goes on after ${pages} pages`);
  }
}

/** GitHub puts requests off, for longer than is waited for. */
export class RateLimitError extends GitHubError {
  override readonly name = "RateLimitError";
  override readonly trouble = "rate limit";
  override readonly hint: string;

  /** `until`: when the limit ends, in milliseconds since the epoch; undefined where GitHub doesn't say. */
  constructor(
    purpose: Purpose,
    status: number | undefined,
    words: string,
    { until, cause }: { readonly until: number | undefined; readonly cause?: unknown },
  ) {
    super(purpose, status, words, cause);
    const end = until === undefined ? undefined : formatMinute(until);
    this.hint =
      end === undefined
        ? "GitHub limits how often a token may ask, and didn't say until when."
        : `GitHub limits how often a token may ask; this one may again from ${end} on.`;
  }
}

/** Whether GitHub said that it didn't do what it was asked to. */
export function wasRefused(error: unknown): boolean {
  return error instanceof GitHubError && error.status !== undefined && error.status < 500;
}

function remedyFor(status: number | undefined, permission: string): Pick<GitHubError, "trouble" | "hint"> {
  if (status === 401) return { trouble: "token", hint: "Check github_token." };
  if (status === 403 || status === 404) {
    return {
      trouble: `refused, ${permission}`,
      hint: `Add "${permission}" to the job's permissions, and check that github_token is this job's.`,
    };
  }
  return {
    trouble: `passing, ${permission}`,
    hint: `It may be a passing problem of GitHub's; the job needs the permission "${permission}".`,
  };
}
