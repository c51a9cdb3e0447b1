import { expect } from "@jest/globals";
import { runAction } from "../support/runner/run-action.ts";
import { previewOf7, repositoryInputs, taskOf7 } from "../support/scenario.ts";
import { serverTest } from "./support/servers.ts";

serverTest(
  "the preview of an opened pull request is deployed, and its post step has nothing to do",
  {},
  async (servers) => {
    const { emulator, github } = servers;
    const { event, env } = github.pullRequestRun(7, "opened");
    const inputs = { ...servers.access, ...repositoryInputs };
    const opened = { action: "preview", event, env, inputs } as const;

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
  },
);
