import { gitHub, platform } from "../requests.ts";
import type { Scenario } from "../scenario.ts";
import { close, openWithPreview, repository } from "./pull-request.ts";

/** The sweep action, with one preview of a closed pull request and one of an open one. */
export const sweepScenarios: readonly Scenario[] = [
  {
    name: "sweep",
    action: "sweep",
    healthy: "deleted",
    github: repository,
    setUp: async (stage) => {
      await openWithPreview(stage);
      await openWithPreview(stage, { opened: 8 });
      close(stage);
      return {};
    },
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
];
