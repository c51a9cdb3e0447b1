import { bury } from "../../support/buried-previews.ts";
import { gitHub, platform } from "../requests.ts";
import type { Given, Scenario, Stage } from "../scenario.ts";
import { close, openWithPreview, repository } from "./pull-request.ts";

const sweep = { action: "sweep", healthy: "deleted", github: repository } as const;

/** One preview of a closed pull request and one of an open one. */
async function twoPreviews(stage: Stage): Promise<Given> {
  await openWithPreview(stage);
  await openWithPreview(stage, { opened: 8 });
  close(stage);
  return {};
}

/** The sweep action, among few previews and among many. */
export const sweepScenarios: readonly Scenario[] = [
  {
    ...sweep,
    name: "sweep",
    setUp: twoPreviews,
    targets: [
      { ...gitHub.viewer, name: "viewer", role: "GitHub read" },
      { ...gitHub.records, name: "records", role: "GitHub read" },
      { ...gitHub.statuses, name: "statuses of a record", role: "GitHub read" },
      { ...gitHub.pullRequest, name: "pull request", role: "GitHub read" },
      { ...gitHub.openPullRequest, name: "open pull request", role: "GitHub read" },
      { ...platform.deployment, name: "deployment", role: "look before deletion" },
      { ...platform.remove, name: "DELETE", role: "delete" },
      { ...gitHub.makeStatus, name: "POST status", role: "tolerated" },
    ],
  },
  {
    ...sweep,
    name: "sweep, among many",
    setUp: async (stage) => {
      bury(stage.github(), 60);
      return await twoPreviews(stage);
    },
    targets: [{ ...gitHub.newestStates, name: "states of many records", role: "GitHub read" }],
  },
];
