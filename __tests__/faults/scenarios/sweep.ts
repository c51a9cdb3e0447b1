import { recordDeletedPreviews } from "../../support/deleted-previews.ts";
import { gitHubRead, optional, orKept, read, remove } from "../expectations.ts";
import { gitHub, platform, type Scenario, type Setup, type StepOptions } from "../scenario.ts";
import { close, openWithPreview, repository } from "./pull-request.ts";

const sweep = { action: "sweep", usual: "deleted", github: repository } as const;

/** One preview of a closed pull request and one of an open one. */
async function twoPreviews(setup: Setup): Promise<StepOptions> {
  await openWithPreview(setup);
  await openWithPreview(setup, { opened: 8 });
  close(setup);
  return {};
}

export const sweepScenarios: readonly Scenario[] = [
  {
    ...sweep,
    name: "sweep",
    setUp: twoPreviews,
    targets: [
      { ...gitHub.viewer, name: "viewer", expected: gitHubRead },
      { ...gitHub.records, name: "records", expected: gitHubRead },
      { ...gitHub.statuses, name: "statuses of a record", expected: gitHubRead },
      { ...gitHub.pullRequest, name: "pull request", expected: gitHubRead },
      { ...gitHub.openPullRequest, name: "open pull request", expected: gitHubRead },
      { ...platform.deployment, name: "deployment", expected: orKept(read) },
      { ...platform.remove, name: "DELETE", expected: orKept(remove) },
      { ...gitHub.createStatus, name: "POST status", expected: optional },
    ],
  },
  {
    ...sweep,
    name: "sweep among many previews",
    setUp: async (setup) => {
      recordDeletedPreviews(setup.github(), 60);
      return await twoPreviews(setup);
    },
    targets: [{ ...gitHub.newestStates, name: "states of many records", expected: gitHubRead }],
  },
];
