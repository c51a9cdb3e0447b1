import { lowerMedian, maxRevisions } from "../../src/deploy/watch/typical-duration.ts";
import type { Policy } from "./policies.ts";

/** A simulated deployment; all times in seconds. */
export interface SimulatedDeployment {
  /** When its status changes, since the write; the last change is its end. */
  readonly changes: readonly number[];
  /** How long the ones before it usually took. */
  readonly typical: number;
}

/** Changes of a deployment of about this length, ±20 %: queued 5 %, building 65 %, deploying 30 %, each varied by half. */
function randomChanges(aboutSeconds: number, random: () => number): number[] {
  const total = aboutSeconds * (0.8 + 0.4 * random());
  const weights = [0.05, 0.65, 0.3].map((share) => share * (0.5 + random()));
  const sum = weights.reduce((one, other) => one + other, 0);
  let at = 0;
  return weights.map((weight) => {
    at += (weight / sum) * total;
    return at;
  });
}

/** Deployments of about this length, each after ten others of that kind. */
export function randomDeployments(
  aboutSeconds: number,
  count: number,
  random: () => number,
  randomBefore: () => number,
): SimulatedDeployment[] {
  const secondsBefore = () => randomChanges(aboutSeconds, randomBefore).at(-1) ?? 0;
  return Array.from({ length: count }, () => ({
    changes: randomChanges(aboutSeconds, random),
    typical: lowerMedian(Array.from({ length: maxRevisions }, secondsBefore)) ?? 0,
  }));
}

export interface Watched {
  /** Seconds from the end until a poll showed it; undefined for a false timeout. */
  readonly lag: number | undefined;
  readonly requests: number;
}

const deadline = 1800;

/** Watches a deployment on a virtual clock with this policy. A request takes no time. */
export function watch(
  { changes, typical }: SimulatedDeployment,
  policy: Policy,
  random: () => number,
): Watched {
  const end = changes.at(-1) ?? 0;
  let now = 0;
  let seenPhase = -1;
  let seenAt = 0;
  for (let polls = 0; ; polls += 1) {
    if (now >= end) return { lag: now - end, requests: polls + 1 };
    if (now >= deadline) return { lag: undefined, requests: polls + 1 };
    const phase = changes.findIndex((change) => now < change);
    if (phase !== seenPhase) {
      seenPhase = phase;
      seenAt = now;
    }
    const next = now + policy.delay({ polls, inStatus: now - seenAt, elapsed: now, typical, random });
    if (next > deadline && !policy.pollsAtDeadline) return { lag: undefined, requests: polls + 1 };
    now = Math.min(next, deadline);
  }
}
