import { pauseMs } from "../../src/deployment/poll-delay.ts";

/** What a policy may go by when it chooses its next pause; all times in seconds. */
export interface PollState {
  /** Polls so far. */
  readonly polls: number;
  /** How long the revision has been seen in its current status. */
  readonly inStatus: number;
  /** Since the write. */
  readonly elapsed: number;
  /** How long earlier deployments usually took, for those who ask for it. */
  readonly usual: number;
  readonly random: () => number;
}

export interface Policy {
  readonly name: string;
  /** Seconds until the next poll. */
  readonly pause: (state: PollState) => number;
  /** Whether it looks once more at the deadline; the clients in the field stop at the last poll before it. */
  readonly lastLook: boolean;
}

const fixed = (seconds: number): Policy => ({
  name: `every ${seconds} s`,
  pause: () => seconds,
  lastLook: false,
});
const steps = [1, 5, 15, 30];

/** `poll_interval_seconds` as it is unless set, in milliseconds. */
const longestPauseMs = 4000;

export const ours: Policy = {
  name: "ours",
  pause: ({ inStatus }) => pauseMs(longestPauseMs, inStatus * 1000) / 1000,
  lastLook: true,
};

/** The same on a platform that shows how long earlier revisions took. */
export const oursKnowing: Policy = {
  name: "ours, knowing the usual time",
  pause: ({ inStatus, elapsed, usual }) =>
    pauseMs(longestPauseMs, inStatus * 1000, 0, { elapsedMs: elapsed * 1000, typicalMs: usual * 1000 }) /
    1000,
  lastLook: true,
};

export const policies: readonly Policy[] = [
  ours,
  oursKnowing,
  fixed(60),
  fixed(15),
  fixed(10),
  fixed(5),
  fixed(3),
  fixed(2),
  {
    name: "15 s to 600 s, doubled, with jitter",
    pause: ({ polls, random }) => Math.min(600, 15 * 2 ** polls) * (0.5 + random() / 2),
    lastLook: false,
  },
  { name: "1, 5, 15, 30 s steps", pause: ({ polls }) => steps[polls] ?? 30, lastLook: false },
];
