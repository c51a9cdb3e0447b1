import { on, type Scenario, type Target } from "../scenario.ts";

export const remove: Target = {
  name: "DELETE",
  server: "platform",
  role: "delete",
  route: on("DELETE", /^\/v2\/deployments\/[^/]+$/),
  writes: true,
};

const lostDelete = {
  kind: "answer",
  match: { method: "DELETE", times: "always" },
  applied: true,
  status: 500,
} as const;

/** The delete action. */
export const deleteScenarios: readonly Scenario[] = [
  {
    name: "delete by name",
    action: "delete",
    healthy: "deleted",
    setUp: async ({ existing }) => {
      await existing("agent");
      return { inputs: { name: "agent" } };
    },
    targets: [
      {
        name: "list",
        server: "platform",
        role: "find to delete",
        route: on("GET", /^\/v2\/deployments$/),
      },
      {
        name: "deployment",
        server: "platform",
        role: "look before deletion",
        route: on("GET", /^\/v2\/deployments\/[^/]+$/),
      },
      { ...remove, short: true },
    ],
  },
  {
    name: "delete that was lost",
    action: "delete",
    healthy: "deleted",
    emulator: { misbehave: [lostDelete] },
    setUp: async ({ existing }) => ({ inputs: { deployment_id: (await existing("agent")).id } }),
    targets: [
      {
        name: "deployment after it",
        server: "platform",
        role: "search",
        route: on("GET", /^\/v2\/deployments\/[^/]+$/),
        idless: true,
      },
    ],
  },
];
