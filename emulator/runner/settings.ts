/** How revisions are run. */

/** The options of `--run`. */
export interface RunOptions {
  /** For checkouts. By default a temporary folder, which is removed at the end. */
  readonly workDir?: string | undefined;
  readonly buildCommand?: string | undefined;
  readonly startCommand?: string | undefined;
  /** How long an agent may take until it is ready: 60. */
  readonly readySeconds?: number;
  /** How long git may take: 5 minutes. */
  readonly gitMs?: number;
  /** How long a build may take: 30 minutes. */
  readonly buildMs?: number;
  /** The time between SIGTERM and SIGKILL: 5 s. */
  readonly graceMs?: number;
  /** How long requests to the revision before may still take: 5 s. */
  readonly drainMs?: number;
  /** The time between two probes of a live agent: 5 s. */
  readonly probeMs?: number;
  /** The time until a dead agent is started again: 0.5 s. It doubles each time. */
  readonly restartMs?: number;
}

export type RunSettings = Required<Omit<RunOptions, "workDir">>;

const DEFAULTS: RunSettings = {
  buildCommand: undefined,
  startCommand: undefined,
  readySeconds: 60,
  gitMs: 5 * 60_000,
  buildMs: 30 * 60_000,
  graceMs: 5000,
  drainMs: 5000,
  probeMs: 5000,
  restartMs: 500,
};

/** The options, completed by the defaults. */
export function runSettings(options: RunOptions): RunSettings {
  return { ...DEFAULTS, ...options };
}
