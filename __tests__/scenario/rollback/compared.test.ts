import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError } from "../../support/scenario.ts";
import { servedBy, startWithOwnAgent } from "../compare/support.ts";

/**
 * A rollback of `my-agent` with `compare_with: previous`. `then`: what happens once the agent is read while the deployment has
 * this many revisions: four once the rollback's own was made.
 */
async function rollBackCompared(then: (given: Given) => unknown, count = 4) {
  const routes = servedBy({ agent: { nodes: ["write"] } });
  const search = "POST /assistants/search";
  let given: Given | undefined;
  const respond: (typeof routes)[string] = async (body) => {
    const { revisions = [] } = given?.scenario.stored("my-agent") ?? {};
    if (given !== undefined && revisions.length === count) await then(given);
    return await routes[search]?.(body);
  };
  const { scenario } = await startWithOwnAgent({ ...routes, [search]: respond });
  const { id } = scenario.stored("my-agent");
  const update = async (ref: string) => {
    await scenario.send(`PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: ref } });
    await scenario.pass(60);
    return String(scenario.stored("my-agent").latest_revision_id);
  };
  const older = await update("refs/tags/v1");
  const replaced = await update("refs/tags/v2");
  given = { scenario, id, replaced };
  const run = await scenario.startAction("rollback", { name: "my-agent", compare_with: "previous" }).ended;
  return { run, older, replaced };
}

interface Given {
  readonly scenario: Awaited<ReturnType<typeof startWithOwnAgent>>["scenario"];
  readonly id: string;
  /** The revision that was live before the rollback. */
  readonly replaced: string;
}

/** From now on the platform shows this of the deployment. */
function show({ scenario, id }: Given, body: unknown, status = 200): void {
  const match = { method: "GET", path: `^/v2/deployments/${id}$`, times: "always" } as const;
  scenario.emulator.addFault(answer(match, status, { body }));
}

test.each<[string, (given: Given) => unknown, string]>([
  [
    "is being deleted",
    (given) => show(given, { id: given.id, status: "AWAITING_DELETE" }),
    "is being deleted",
  ],
  ["is gone", (given) => show(given, { detail: "Deployment not found" }, 404), "is being deleted"],
  [
    "has no live revision any more",
    (given) => show(given, { id: given.id, active_revision_id: null }),
    "no revision is live",
  ],
  [
    "serves the replaced revision again",
    (given) => show(given, { id: given.id, active_revision_id: given.replaced }),
    "is still live",
  ],
])("a rollback fails if its deployment %s once it was compared", async (_what, then, expected) => {
  const { run } = await rollBackCompared(then);

  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs).not.toHaveProperty("rolled_back_to");
  expectError(run, expected);
  expect(run.log).not.toContain("newer revision");
});

test("a rollback whose revision was replaced by a newer one once it was compared is superseded", async () => {
  const { run } = await rollBackCompared(({ scenario, id }) => {
    scenario.emulator.addConcurrentRevision(id, "theirs");
  });

  expect(run.outputs.outcome).toBe("superseded");
  expectError(run, "newer revision");
});

test("a rollback whose deployment can't be read once it was compared is deployed with a warning", async () => {
  const { run, older } = await rollBackCompared((given) => show(given, { detail: "down" }, 500));

  expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: older });
  expect(run.warnings).toEqual([expect.stringContaining("was still live after its checks")]);
});

test("a rollback goes back from a revision that became live while the agent was read", async () => {
  const { run, replaced } = await rollBackCompared(
    ({ scenario, id }) => scenario.emulator.addConcurrentRevision(id, "refs/tags/theirs"),
    3,
  );

  expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: replaced });
});
