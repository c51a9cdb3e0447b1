import { describe, expect, test } from "@jest/globals";
import { controlPlaneDigest } from "../../../src/platform/platforms.ts";
import { answer } from "../../support/faults.ts";
import { actionsLogin, type GitHubRequest } from "../../support/github/github-stand-in.ts";
import {
  type PreviewScenario,
  previewOf7,
  sha,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";

/** Without further pages of lists. */
function countRequests(requests: readonly GitHubRequest[]): number {
  return requests.filter(({ query }) => (query.page?.[0] ?? "1") === "1").length;
}

/** What earlier runs leave: a comment, and a record each, whose newest state is this one. */
function addEarlierRuns(
  { emulator, github }: PreviewScenario,
  states: readonly (string | undefined)[],
): void {
  const { url, workspaceId } = emulator;
  const control_plane_digest = controlPlaneDigest({ url: new URL(url), workspaceId });
  const ids = { deployment_id: "d", revision_id: "r", control_plane_digest };
  const payload = { ...ids, name: previewOf7, pull_request: 7 };
  for (const state of states) {
    const record = { ref: "main", task: taskOf7, environment: "Preview", payload };
    const { id } = github.records.add(record, actionsLogin);
    if (state !== undefined) github.records.addStatus(id, { state }, actionsLogin);
  }
  github.allComments.add(7, `<!-- deploy-agent-server preview:${previewOf7} -->\nearlier`, actionsLogin);
}

function repeat<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item);
}

describe("a preview run sends at most 20 requests to GitHub", () => {
  const setUps: Readonly<Record<string, (scenario: PreviewScenario) => unknown>> = {
    "if it takes half an hour": ({ emulator }) => {
      const sequence = [{ status: "BUILDING", seconds: 1750 }, { status: "DEPLOYED" }];
      emulator.addFault({ kind: "statuses", sequence });
    },
    "after two pushes": async ({ preview, push }) => {
      for (const letter of ["a", "b"]) {
        push(sha(letter));
        await preview("synchronize", { inputs: { wait: "false" } });
      }
    },
    "after runs that were killed": (scenario) =>
      addEarlierRuns(scenario, [undefined, "in_progress", undefined]),
    "after 120 runs that failed": (scenario) => addEarlierRuns(scenario, repeat(120, "failure")),
    "after 120 runs that succeeded": (scenario) => addEarlierRuns(scenario, repeat(120, "success")),
    "after 120 previews that were deleted": (scenario) => addEarlierRuns(scenario, repeat(120, "inactive")),
    "after a run that succeeded and 90 that failed": (scenario) =>
      addEarlierRuns(scenario, ["success", ...repeat(90, "failure")]),
    "among 120 comments": ({ github }) => {
      for (const body of repeat(120, "a comment")) github.allComments.add(7, body, "octocat");
    },
    "if its comment is deleted twice during the run": ({ clock, github }) => {
      for (const seconds of [8, 20]) {
        clock.at(seconds * 1000, () =>
          github.comments(7).forEach(({ id }) => void github.allComments.delete(id)),
        );
      }
    },
    "if the pull request is closed during the run": ({ clock, shut }) => clock.at(15_000, () => shut()),
    "if the configuration file can't be found": ({ github }) => {
      const match = { path: "/contents/", times: "always" } as const;
      github.fail(answer(match, 404, { body: { message: "Not Found" } }));
      github.fail(answer("/contents$", 403));
    },
    "if newer runs overtake it": (scenario) =>
      scenario.clock.at(20_000, () => addEarlierRuns(scenario, ["in_progress", "failure", "success"])),
  };

  test.each(Object.entries(setUps))("a preview run sends at most 20 requests %s", async (_when, setUp) => {
    const scenario = await startPreviewScenario();
    scenario.open();
    await setUp(scenario);

    const { outputs, github } = await scenario.preview("opened", { inputs: { poll_interval_seconds: "60" } });

    expect(["deployed", "deleted"]).toContain(outputs.outcome);
    expect(countRequests(github)).toBeLessThanOrEqual(20);
  });
});
