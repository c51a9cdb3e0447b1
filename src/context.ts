import type { ThrottlingOptions } from "@octokit/plugin-throttling";
import type { Clock } from "./clock.ts";
import type { Report } from "./report/report.ts";
import type { CommandFiles } from "./report/runner/command-files.ts";
import type { Log } from "./report/runner/log.ts";
import type { Environment, WorkflowRun } from "./workflow-run.ts";

/**
 * What a run takes from its surroundings. HTTP and the files of uploads and usage reports are not injected; tests use real
 * ones.
 */
export interface Surroundings {
  /**
   * The variables of the step. Exceptions are read from the process itself: those for proxies and command files, because the
   * toolkit does so, and `PATH` for git.
   */
  readonly env: Environment;
  readonly workflow: WorkflowRun;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: CommandFiles;
  /**
   * Octokit's delays between writes, and for each second that a retry or a rate limit takes, in milliseconds; by default its
   * own.
   */
  readonly githubDelays?: Pick<ThrottlingOptions, "write" | "notifications" | "retryAfterBaseValue">;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Aborted when the runner cancels the run (SIGINT, then SIGTERM). */
  readonly cancelled: AbortSignal;
}

/** What every step of a run works with: its surroundings, and the report in place of the bare log. */
export interface Context extends Omit<Surroundings, "log"> {
  readonly report: Report;
}
