import { pollDelayMs } from "../../src/http/poll-delay.ts";

/** What a policy may use to choose its next delay; all times in seconds. */
export interface PollState {
  /** Number of polls so far. */
  readonly polls: number;
  /** How long the revision has been seen in its current status. */
  readonly inStatus: number;
  /** Since the write. */
  readonly elapsed: number;
  /** How long earlier deployments usually took. */
  readonly typical: number;
  readonly random: () => number;
}

export interface Policy {
  readonly name: string;
  /** Seconds until the next poll. */
  readonly delay: (state: PollState) => number;
  /** Whether it polls once more at the deadline; other clients stop at the last poll before it. */
  readonly pollsAtDeadline: boolean;
}

/** The default of `poll_interval_seconds`, in milliseconds. */
const maxDelayMs = 4000;

export const ours: Policy = {
  name: "ours",
  delay: ({ inStatus }) => pollDelayMs(maxDelayMs, inStatus * 1000) / 1000,
  pollsAtDeadline: true,
};

/** The same on a platform that shows how long earlier revisions took. */
export const oursWithTypical: Policy = {
  name: "ours, with the typical duration",
  delay: ({ inStatus, elapsed, typical }) => {
    const course = { elapsedMs: elapsed * 1000, typicalMs: typical * 1000 };
    return pollDelayMs(maxDelayMs, inStatus * 1000, course) / 1000;
  },
  pollsAtDeadline: true,
};

const fixed = [60, 15, 10, 5, 3, 2].map(
  (seconds): Policy => ({ name: `every ${seconds} s`, delay: () => seconds, pollsAtDeadline: false }),
);
const steps = [1, 5, 15, 30];

export const policies: readonly Policy[] = [
  ours,
  oursWithTypical,
  ...fixed,
  {
    name: "15 s to 600 s, doubled, with jitter",
    delay: ({ polls, random }) => Math.min(600, 15 * 2 ** polls) * (0.5 + random() / 2),
    pollsAtDeadline: false,
  },
  { name: "1, 5, 15, 30 s steps", delay: ({ polls }) => steps[polls] ?? 30, pollsAtDeadline: false },
];
