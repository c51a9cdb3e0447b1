import { seededRandom } from "../support/random.ts";
import { markdownTable, mean } from "../support/table.ts";
import { ours, oursKnowing, type Policy, policies } from "./policies.ts";
import { type Case, randomCases, watch } from "./simulate.ts";

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
  return durations.flatMap(({ name, seconds }) => {
    const cases = randomCases(seconds, runs, seededRandom(seconds), seededRandom(seconds + 2));
    return policies.map((policy) => figuresOf(policy, name, cases, seededRandom(seconds + 1)));
  });
}

function figuresOf(policy: Policy, duration: string, cases: readonly Case[], jitter: () => number): Figures {
  const watched = cases.map((each) => watch(each, policy, jitter));
  const lags = watched.flatMap(({ lag }) => lag ?? []);
  return {
    policy: policy.name,
    duration,
    meanLag: mean(lags),
    worstLag: Math.max(...lags),
    requests: mean(watched.map(({ requests }) => requests)),
    falseTimeouts: (cases.length - lags.length) / cases.length,
  };
}

/** What ours has to reach, and where it doesn't: empty where it does (issue of the faults and speed, 5). */
export function missedGoals(figures: readonly Figures[]): string[] {
  const isOurs = ({ policy }: Figures) => policy === ours.name || policy === oursKnowing.name;
  const others = figures.filter((each) => !isOurs(each));
  return [...figures.filter(isOurs).flatMap((mine) => missedBy(mine, others)), ...uselessKnowledge(figures)];
}

function missedBy(mine: Figures, others: readonly Figures[]): string[] {
  const better = others.filter(
    ({ duration, meanLag, requests }) =>
      duration === mine.duration && meanLag < mine.meanLag && requests < mine.requests,
  );
  return [
    ...(mine.meanLag > 2.1
      ? [`${mine.policy}: mean lag of ${mine.meanLag.toFixed(2)} s at ${mine.duration}`]
      : []),
    ...(mine.falseTimeouts > 0 ? [`${mine.policy}: false timeouts at ${mine.duration}`] : []),
    ...better.map(
      ({ policy, duration }) =>
        `${policy} is better than ${mine.policy} in both lag and requests at ${duration}`,
    ),
  ];
}

/** To know the usual time is worth something only where it shortens the lag. */
function uselessKnowledge(figures: readonly Figures[]): string[] {
  const lag = (policy: Policy, duration: string) =>
    find(figures, policy.name, duration)?.meanLag ?? Number.NaN;
  return durations
    .filter(({ name }) => !(lag(oursKnowing, name) < lag(ours, name)))
    .map(({ name }) => `knowing the usual time doesn't shorten the lag at ${name}`);
}

function find(figures: readonly Figures[], policy: string, duration: string): Figures | undefined {
  return figures.find((each) => each.policy === policy && each.duration === duration);
}

/** Mean and worst lag in seconds, requests, and false timeouts: a row for each policy, a column for each duration. */
export function pollingTable(figures: readonly Figures[]): string {
  const head = ["policy", ...durations.map(({ name }) => name)];
  const cell = (policy: string, duration: string) => {
    const found = find(figures, policy, duration);
    return found === undefined ? "" : spell(found);
  };
  const rows = policies.map(({ name }) => [name, ...durations.map((duration) => cell(name, duration.name))]);
  return markdownTable(head, rows);
}

function spell({ meanLag, worstLag, requests, falseTimeouts }: Figures): string {
  const timeouts = falseTimeouts === 0 ? "" : `, ${(falseTimeouts * 100).toFixed(1)} % lost`;
  return `${meanLag.toFixed(1)} / ${worstLag.toFixed(0)} s, ${requests.toFixed(0)} req${timeouts}`;
}
