import * as v from "valibot";
import { DeploymentSchema } from "../../../src/platform/schemas.ts";
import type { ProxiedRequest } from "../faulty-proxy.ts";
import { platform } from "../requests.ts";
import type { Scenario, Stage } from "../scenario.ts";

const { list, deployment, revisions, revision, create, update } = platform;

const nothing = async () => ({});
const aDeployment = async ({ existing }: Stage) => {
  await existing("agent");
  return {};
};

/** A request for a revision other than the one that the write's answer named. */
function ofAnother(request: ProxiedRequest, before: readonly ProxiedRequest[]): boolean {
  const answer = before.findLast(({ method }) => method === "PATCH")?.answer;
  const shown = v.safeParse(v.pipe(v.string(), v.parseJson(), DeploymentSchema), answer?.text);
  if (!revision.route(request, before) || !shown.success) return false;
  return !request.path.endsWith(`/${shown.output.latest_revision_id}`);
}

const lostCreate = { kind: "reset", match: { method: "POST" }, applied: true } as const;
const updateWithoutBody = { kind: "answer", match: { method: "PATCH" }, applied: true, status: 200 } as const;
const takenTwice = { kind: "answer", match: { method: "POST", times: 2 }, status: 409 } as const;
const theirsAfterOurs = { kind: "foreign_revision", when: "after" } as const;

/** The deploy action, by each of the ways that it can take. */
export const deployScenarios: readonly Scenario[] = [
  {
    name: "create",
    action: "deploy",
    healthy: "deployed",
    setUp: nothing,
    targets: [
      { ...list, name: "list", role: "find to create", idless: true },
      { ...create, name: "POST", role: "create", short: true },
      { ...revision, name: "revision", role: "poll", short: true },
      { ...deployment, name: "deployment at the end", role: "confirm" },
    ],
  },
  {
    name: "update by name",
    action: "deploy",
    healthy: "deployed",
    setUp: aDeployment,
    targets: [
      { ...list, name: "list", role: "find to update" },
      { ...deployment, name: "deployment", role: "locate" },
      { ...revisions, name: "revisions before", role: "read" },
      { ...update, name: "PATCH", role: "update", short: true },
      { ...revision, name: "revision that was answered", role: "candidate" },
      { ...revision, name: "revision", role: "poll", from: 2 },
      { ...deployment, name: "deployment at the end", role: "confirm", from: 2 },
    ],
  },
  {
    name: "update by id",
    action: "deploy",
    healthy: "deployed",
    setUp: async ({ existing }) => ({ inputs: { deployment_id: (await existing("agent")).id } }),
    targets: [{ ...deployment, name: "deployment", role: "read" }],
  },
  {
    name: "update answered without a body",
    action: "deploy",
    healthy: "deployed",
    emulator: { misbehave: [updateWithoutBody] },
    setUp: aDeployment,
    targets: [{ ...revisions, name: "revisions after", role: "search", from: 2 }],
  },
  {
    name: "create that was lost",
    action: "deploy",
    healthy: "deployed",
    emulator: { misbehave: [lostCreate] },
    setUp: nothing,
    targets: [
      { ...list, name: "list after it", role: "search list", from: 2 },
      { ...deployment, name: "deployment after it", role: "search" },
      { ...revisions, name: "revisions after it", role: "search" },
    ],
  },
  {
    name: "create answered with 409",
    action: "deploy",
    healthy: "deployed",
    emulator: { misbehave: [takenTwice] },
    setUp: nothing,
    targets: [
      { ...list, name: "list while waiting", role: "find again", from: 2, idless: true },
      { ...create, name: "POST after waiting", role: "create", from: 3 },
    ],
  },
  {
    name: "update of a name that is being deleted",
    action: "deploy",
    healthy: "deployed",
    emulator: { misbehave: [{ kind: "slow_delete", seconds: 10 }] },
    setUp: async ({ existing, elsewhere }) => {
      const { id } = await existing("agent");
      await elsewhere(`DELETE /v2/deployments/${id}`);
      return {};
    },
    targets: [{ ...deployment, name: "deployment while waiting", role: "locate", from: 2 }],
  },
  {
    name: "update overtaken by a newer revision",
    action: "deploy",
    healthy: "deployed",
    emulator: { misbehave: [theirsAfterOurs] },
    furtherRevisions: 1,
    setUp: aDeployment,
    targets: [{ ...revision, name: "the newer revision", role: "newer", route: ofAnother }],
  },
];
