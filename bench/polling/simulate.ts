import { maxRevisions, middleOf } from "../../src/deployment/typical-duration.ts";
import type { Policy } from "./policies.ts";

/** The moments at which a deployment changes its status, in seconds since its write; the last is its end. */
export type Changes = readonly number[];

/** A deployment of about so many seconds, ±20 %: queued 5 %, building 65 %, deploying 30 %, each varied by half. */
function randomDeployment(aboutSeconds: number, random: () => number): Changes {
  const total = aboutSeconds * (0.8 + 0.4 * random());
  const weights = [0.05, 0.65, 0.3].map((share) => share * (0.5 + random()));
  const sum = weights.reduce((one, other) => one + other, 0);
  let at = 0;
  return weights.map((weight) => {
    at += (weight / sum) * total;
    return at;
  });
}

/** A deployment to watch, and what the ones before it say of how long it will take. */
export interface Case {
  readonly changes: Changes;
  /** Seconds. */
  readonly usual: number;
}

/** Deployments of about so many seconds, each expected to take as long as ten others of that kind usually did. */
export function randomCases(
  aboutSeconds: number,
  count: number,
  random: () => number,
  randomBefore: () => number,
): Case[] {
  const secondsBefore = () => randomDeployment(aboutSeconds, randomBefore).at(-1) ?? 0;
  return Array.from({ length: count }, () => ({
    changes: randomDeployment(aboutSeconds, random),
    usual: middleOf(Array.from({ length: maxRevisions }, secondsBefore)) ?? 0,
  }));
}

export interface Watched {
  /** Seconds between the end and its being seen; undefined for a false timeout. */
  readonly lag: number | undefined;
  readonly requests: number;
}

const deadline = 1800;

/** Watches one deployment on a virtual clock, as a policy would. A request takes no time. */
export function watch({ changes, usual }: Case, policy: Policy, random: () => number): Watched {
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
    const next = now + policy.pause({ polls, inStatus: now - seenAt, elapsed: now, usual, random });
    if (next > deadline && !policy.lastLook) return { lag: undefined, requests: polls + 1 };
    now = Math.min(next, deadline);
  }
}
