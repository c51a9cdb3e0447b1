import { expect, test } from "@jest/globals";
import { push } from "./support/events.ts";
import { liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("parallel.yml");

test("both agents of the repository are deployed by one job", async () => {
  const sha = await world.commit({
    "agents/support/agent.js": agentCode(2),
    "agents/research/agent.js": agentCode(3),
  });

  const ended = await world.run(push(sha));

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(await liveVersion(world, "support")).toBe("2");
  expect(await liveVersion(world, "research")).toBe("3");
});
