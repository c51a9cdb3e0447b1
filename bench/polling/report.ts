import { seededRandom } from "../support/random.ts";
import { markdownTable, mean } from "../support/table.ts";
import { ours, oursWithTypical, type Policy, policies } from "./policies.ts";
import { randomDeployments, type SimulatedDeployment, watch } from "./simulate.ts";

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
  /** In seconds, over the deployments whose end was seen. */
  readonly meanLag: number;
  readonly maxLag: number;
  readonly requests: number;
  /** Share of deployments that timed out although they ended before. */
  readonly falseTimeouts: number;
}

/** Every policy with the same deployments: `runs` of each duration. */
export function comparePolicies(runs: number): Figures[] {
  return durations.flatMap(({ name, seconds }) => {
    const deployments = randomDeployments(seconds, runs, seededRandom(seconds), seededRandom(seconds + 2));
    return policies.map((policy) => figuresOf(policy, name, deployments, seededRandom(seconds + 1)));
  });
}

function figuresOf(
  policy: Policy,
  duration: string,
  deployments: readonly SimulatedDeployment[],
  random: () => number,
): Figures {
  const watched = deployments.map((deployment) => watch(deployment, policy, random));
  const lags = watched.flatMap(({ lag }) => lag ?? []);
  return {
    policy: policy.name,
    duration,
    meanLag: mean(lags),
    maxLag: Math.max(...lags),
    requests: mean(watched.map(({ requests }) => requests)),
    falseTimeouts: (deployments.length - lags.length) / deployments.length,
  };
}

/** In seconds. */
const maxMeanLag = 2.1;

/** The goals that our policies miss, as sentences. */
export function missedGoals(figures: readonly Figures[]): string[] {
  const isOurs = ({ policy }: Figures) => policy === ours.name || policy === oursWithTypical.name;
  const others = figures.filter((each) => !isOurs(each));
  return [...figures.filter(isOurs).flatMap((own) => missedBy(own, others)), ...uselessTypical(figures)];
}

function missedBy(own: Figures, others: readonly Figures[]): string[] {
  const better = others.filter(
    ({ duration, meanLag, requests }) =>
      duration === own.duration && meanLag < own.meanLag && requests < own.requests,
  );
  const subject = `${own.policy} at ${own.duration}`;
  return [
    ...(own.meanLag > maxMeanLag ? [`${subject}: the mean lag is ${own.meanLag.toFixed(2)} s.`] : []),
    ...(own.falseTimeouts > 0 ? [`${subject}: some deployments time out although they ended.`] : []),
    ...better.map(({ policy }) => `${subject}: ${policy} has a shorter lag with fewer requests.`),
  ];
}

/** The typical duration must shorten the lag. */
function uselessTypical(figures: readonly Figures[]): string[] {
  const lag = (policy: Policy, duration: string) =>
    find(figures, policy.name, duration)?.meanLag ?? Number.NaN;
  return durations
    .filter(({ name }) => !(lag(oursWithTypical, name) < lag(ours, name)))
    .map(({ name }) => `${oursWithTypical.name} at ${name}: the lag is not shorter than without it.`);
}

function find(figures: readonly Figures[], policy: string, duration: string): Figures | undefined {
  return figures.find((each) => each.policy === policy && each.duration === duration);
}

/** Mean and maximum lag, requests and false timeouts as Markdown: a row for each policy, a column for each duration. */
export function pollingTable(figures: readonly Figures[]): string {
  const head = ["policy", ...durations.map(({ name }) => name)];
  const cell = (policy: string, duration: string) => {
    const found = find(figures, policy, duration);
    return found === undefined ? "" : formatFigures(found);
  };
  const rows = policies.map(({ name }) => [name, ...durations.map((duration) => cell(name, duration.name))]);
  return markdownTable(head, rows);
}

function formatFigures({ meanLag, maxLag, requests, falseTimeouts }: Figures): string {
  const timeouts = falseTimeouts === 0 ? "" : `, ${(falseTimeouts * 100).toFixed(1)} % lost`;
  return `${meanLag.toFixed(1)} / ${maxLag.toFixed(0)} s, ${requests.toFixed(0)} req${timeouts}`;
}
