import type { Scenario } from "../../support/scenario.ts";

/** The states of each record, newest record first and oldest state first. */
export function recordStates({ github }: Scenario): (string | undefined)[][] {
  return github.deployments().map(({ statuses }) => statuses.map(({ state }) => state).toReversed());
}

/** The newest state of each record, newest record first. */
export function newestStates(scenario: Scenario): (string | undefined)[] {
  return recordStates(scenario).map((states) => states.at(-1));
}

export function commentOf7({ github }: Scenario): string {
  return github.comments(7)[0]?.body ?? "";
}

/** Pushes a branch on which the configuration file exists. */
export function pushBranch({ github }: Scenario, name: string): void {
  github.repository.commit("f".repeat(40), { "app/config.json": "{}" }, `heads/${name}`);
}

/** Resolves as soon as GitHub got such a request. */
export function gitHubGot({ github, until }: Scenario, method: string, path: RegExp): Promise<void> {
  return until(() => github.requests.some((one) => one.method === method && path.test(one.path)));
}
