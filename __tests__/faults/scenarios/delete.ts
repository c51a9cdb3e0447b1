import { platform } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

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
      { ...platform.list, name: "list", role: "find to delete" },
      { ...platform.deployment, name: "deployment", role: "look before deletion" },
      { ...platform.remove, name: "DELETE", role: "delete", short: true },
    ],
  },
  {
    name: "delete that was lost",
    action: "delete",
    healthy: "deleted",
    emulator: { misbehave: [lostDelete] },
    setUp: async ({ existing }) => ({ inputs: { deployment_id: (await existing("agent")).id } }),
    targets: [{ ...platform.deployment, name: "deployment after it", role: "search", idless: true }],
  },
];
