import { expect, test } from "@jest/globals";
import { runAction } from "../support/runner/run-action.ts";
import { previewOf7, repositoryInputs, taskOf7 } from "../support/scenario.ts";
import { type Servers, timeLimitMs, withServers } from "./support/servers.ts";

/** The step of the preview action for an event of pull request 7. */
function step({ github, access }: Servers, action: string) {
  const { event, env } = github.pullRequestRun(7, action);
  return { action: "preview", event, env, inputs: { ...access, ...repositoryInputs } } as const;
}

test.concurrent(
  "the preview of an opened pull request is deployed, and its post step has nothing to do",
  () =>
    withServers({}, async (servers) => {
      const { emulator, github } = servers;
      const opened = step(servers, "opened");

      const run = await runAction(opened);
      const requested = github.requests.length;
      const post = await runAction({ ...opened, phase: "post", state: run.state });

      expect(run).toMatchObject({ exitCode: 0, conclusion: "success", stderr: "", log: { annotations: [] } });
      const [deployment] = emulator.deployments();
      expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: deployment?.id });
      expect(deployment?.name).toBe(previewOf7);
      expect(github.deployments(taskOf7)).toMatchObject([
        { statuses: [{ state: "success" }, { state: "in_progress" }] },
      ]);
      expect(github.comments(7)).toMatchObject([{ body: expect.stringContaining("✅") }]);
      expect(post).toMatchObject({ exitCode: 0, stdout: "", stderr: "", summary: "" });
      expect(github.requests).toHaveLength(requested);
    }),
  timeLimitMs,
);
