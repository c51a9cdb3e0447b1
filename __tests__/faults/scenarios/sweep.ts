import { on, type Scenario, type Target } from "../scenario.ts";
import { remove } from "./delete.ts";
import { recordPreview, repository } from "./preview.ts";

function fromGitHub(method: string, path: RegExp, target: Pick<Target, "name" | "role" | "idless">): Target {
  return { server: "GitHub", route: on(method, path), ...target };
}

/** The sweep action, with one preview of a closed pull request and one of an open one. */
export const sweepScenarios: readonly Scenario[] = [
  {
    name: "sweep",
    action: "sweep",
    healthy: "deleted",
    github: repository,
    setUp: async (stage) => {
      const { pullRequests } = stage.github();
      for (const number of [7, 8]) {
        pullRequests.open({ number });
        await recordPreview(stage, { name: `octo-repo-pr-${number}`, number });
      }
      pullRequests.change(7, { state: "closed" });
      return {};
    },
    targets: [
      fromGitHub("POST", /^\/graphql$/, { name: "viewer", role: "GitHub read", idless: true }),
      fromGitHub("GET", /\/deployments$/, { name: "records", role: "GitHub read" }),
      fromGitHub("GET", /\/statuses$/, { name: "statuses of a record", role: "GitHub read", idless: true }),
      fromGitHub("GET", /\/pulls\/7$/, { name: "pull request", role: "GitHub read", idless: true }),
      fromGitHub("GET", /\/pulls\/8$/, { name: "open pull request", role: "GitHub read", idless: true }),
      {
        name: "deployment",
        server: "platform",
        role: "look before deletion",
        route: on("GET", /^\/v2\/deployments\/[^/]+$/),
      },
      remove,
      fromGitHub("POST", /\/statuses$/, { name: "POST status", role: "tolerated", idless: true }),
    ],
  },
];
