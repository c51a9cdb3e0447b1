import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import type { Context } from "../context.ts";

const GitHubOctokit = Octokit.plugin(retry, throttling);

/** Of a read that fails for a moment. */
const maxRetries = 2;
/** Every 4xx but 408. A rate limit (429) is no matter of seconds. */
const doNotRetry = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 408);
/** For what must not be sent twice. A number above 0 would make the plugin ignore `doNotRetry`. */
export const withoutRetry = { retries: 0 };
/** A longer rate limit is not waited for. */
const maxRateLimitSeconds = 60;

type Fetch = (url: string, options: unknown) => Promise<Response>;

/**
 * Octokit, which retries reads, keeps GitHub's distance between writes, and waits once for a short rate limit
 * (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
 */
export function createOctokit(
  token: string,
  fetch: Fetch,
  context: Context,
): InstanceType<typeof GitHubOctokit> {
  const { workflow, githubDelays, cancelled, log } = context;
  const mayWait = (seconds: number, _options: unknown, _octokit: unknown, retryCount: number) => {
    const waits = retryCount === 0 && seconds <= maxRateLimitSeconds && !cancelled.aborted;
    if (waits) log.info(`GitHub limits the requests of this token. Retrying in ${seconds} s.`);
    return waits;
  };
  const ignore = () => {};
  return new GitHubOctokit({
    auth: token,
    baseUrl: workflow.apiUrl.replace(/\/$/, ""),
    userAgent: "deploy-agent-server",
    // Octokit would write to the console what servers sent.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    request: { log: { warn: ignore }, fetch },
    retry: {
      doNotRetry,
      retries: maxRetries,
      retryAfterBaseValue: githubDelays?.retryAfterBaseValue ?? 1000,
    },
    throttle: { ...githubDelays, onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
  });
}
