import type { ThrottlingOptions } from "@octokit/plugin-throttling";
import type { Clock } from "./clock.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import type { Disk } from "./runner/disk.ts";
import type { Log } from "./runner/log.ts";
import type { WorkflowRun } from "./runner/workflow-run.ts";
import type { RunRedactor } from "./text/redact.ts";

/**
 * Everything a run takes from its surroundings and does to them, except HTTP requests, the files of a usage report and
 * those of `source_path`, which tests use as they are.
 */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workflow: WorkflowRun;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: CommandFiles;
  readonly disk: Disk;
  /** Instead of those with which Octokit waits in real time. */
  readonly githubDelays?: GitHubDelays;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Aborted when the runner cancels the run (SIGINT, then SIGTERM). */
  readonly cancelled: AbortSignal;
  /** Removes this run's secrets from text. */
  readonly redact: RunRedactor;
}

/** Between writes, and for each second that a retry or a rate limit takes, in milliseconds. */
export type GitHubDelays = Pick<ThrottlingOptions, "write" | "notifications" | "retryAfterBaseValue">;

/** The context before the inputs were read for secrets. */
export type ProcessContext = Omit<Context, "redact">;
