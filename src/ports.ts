import type { Clock } from "./clock.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import type { Log } from "./runner/log.ts";

/** Every effect an action has beyond its HTTP requests, passed in as one object so that tests can stand in for it. */
export interface Ports {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: CommandFiles;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Aborted when the runner cancels the run (SIGINT, then SIGTERM). */
  readonly cancelled: AbortSignal;
}
