import { seededRandom } from "../support/random.ts";
import { markdownTable, mean } from "../support/table.ts";
import { ours, type Policy, policies } from "./policies.ts";
import { randomDeployment, watch } from "./simulate.ts";

const durations = [
  { name: "30 s", seconds: 30 },
  { name: "2 min", seconds: 120 },
  { name: "5 min", seconds: 300 },
  { name: "10 min", seconds: 600 },
  { name: "25 min", seconds: 1500 },
] as const;

export interface Figures {
  readonly policy: string;
  readonly duration: string;
  /** Seconds, over the deployments whose end was seen. */
  readonly meanLag: number;
  readonly worstLag: number;
  readonly requests: number;
  /** Share of deployments given up at 1800 s although they ended before. */
  readonly falseTimeouts: number;
}

/** Every policy on the same deployments: `runs` of each duration. */
export function comparePolicies(runs: number): Figures[] {
  return durations.flatMap(({ name, seconds }) =>
    policies.map((policy) => figuresOf(policy, name, seconds, runs)),
  );
}

function figuresOf(policy: Policy, duration: string, seconds: number, runs: number): Figures {
  const deployments = seededRandom(seconds);
  const jitter = seededRandom(seconds + 1);
  const watched = Array.from({ length: runs }, () =>
    watch(randomDeployment(seconds, deployments), policy, jitter),
  );
  const lags = watched.flatMap(({ lag }) => lag ?? []);
  return {
    policy: policy.name,
    duration,
    meanLag: mean(lags),
    worstLag: Math.max(...lags),
    requests: mean(watched.map(({ requests }) => requests)),
    falseTimeouts: (runs - lags.length) / runs,
  };
}

/** What ours has to reach, and where it doesn't: empty where it does (issue of the faults and speed, 5). */
export function missedGoals(figures: readonly Figures[]): string[] {
  const own = figures.filter(({ policy }) => policy === ours.name);
  return own.flatMap((mine) => [
    ...(mine.meanLag > 2.1 ? [`mean lag of ${mine.meanLag.toFixed(2)} s at ${mine.duration}`] : []),
    ...(mine.falseTimeouts > 0 ? [`false timeouts at ${mine.duration}`] : []),
    ...figures
      .filter(({ duration, meanLag, requests }) => {
        return duration === mine.duration && meanLag < mine.meanLag && requests < mine.requests;
      })
      .map(({ policy, duration }) => `${policy} is better in both lag and requests at ${duration}`),
  ]);
}

export function pollingTable(figures: readonly Figures[]): string {
  const head = ["policy", ...durations.map(({ name }) => name)];
  const cell = (policy: string, duration: string, show: (figures: Figures) => string) => {
    const found = figures.find((each) => each.policy === policy && each.duration === duration);
    return found === undefined ? "" : show(found);
  };
  const rows = policies.map(({ name }) => [
    name,
    ...durations.map((duration) => cell(name, duration.name, (each) => spell(each))),
  ]);
  return markdownTable(head, rows);
}

function spell({ meanLag, worstLag, requests, falseTimeouts }: Figures): string {
  const timeouts = falseTimeouts === 0 ? "" : `, ${(falseTimeouts * 100).toFixed(1)} % lost`;
  return `${meanLag.toFixed(1)} / ${worstLag.toFixed(0)} s, ${requests.toFixed(0)} req${timeouts}`;
}
