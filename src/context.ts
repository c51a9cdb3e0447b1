import type { Clock } from "./clock.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import type { Disk } from "./runner/disk.ts";
import type { Log } from "./runner/log.ts";
import type { Redactor } from "./text/redact.ts";

/**
 * All that an action takes from its surroundings and does to them, passed in as one object so that tests can stand in for
 * it. Left out is what tests use as it is: HTTP requests, with their time limits and the variables that name a proxy, and
 * the files of a usage report (`report/usage-file.ts`).
 */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: CommandFiles;
  readonly disk: Disk;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Aborted when the runner cancels the run (SIGINT, then SIGTERM). */
  readonly cancelled: AbortSignal;
  /** Takes this run's secrets out of text that came from outside. */
  readonly redact: Redactor;
}

/** The context as a run is given them: what its secrets are it finds out itself. */
export type ProcessContext = Omit<Context, "redact">;
