import type { Log } from "../runner/log.ts";
import { GitHubError } from "./errors.ts";

/** Does something on GitHub, and answers with undefined where that failed. */
export type Tolerate = <T>(call: () => Promise<T>) => Promise<T | undefined>;

/**
 * For what the deployment doesn't depend on: a failure of GitHub's is a warning that names the permission (contract,
 * 4), one for each permission and kind of failure. What is no failure of GitHub's goes on its way.
 */
export function tolerating(log: Log): Tolerate {
  const told = new Set<string>();
  return async (call) => {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (told.has(error.trouble)) {
        log.info(error.message);
      } else {
        told.add(error.trouble);
        log.warning(`${error.message} ${error.hint} The deployment doesn't depend on it.`);
      }
      return undefined;
    }
  };
}
