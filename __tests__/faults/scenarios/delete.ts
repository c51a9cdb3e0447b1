import { read, remove, search } from "../expectations.ts";
import { platform, type Scenario } from "../scenario.ts";

const lostDelete = {
  kind: "answer",
  match: { method: "DELETE", times: "always" },
  applied: true,
  status: 500,
} as const;

export const deleteScenarios: readonly Scenario[] = [
  {
    name: "delete by name",
    action: "delete",
    usual: "deleted",
    setUp: async ({ existing }) => {
      await existing("agent");
      return { inputs: { name: "agent" } };
    },
    targets: [
      // Without a list, a name can't be deleted.
      { ...platform.list, name: "list", expected: read },
      { ...platform.deployment, name: "deployment", expected: read },
      { ...platform.remove, name: "DELETE", expected: remove },
    ],
  },
  {
    name: "delete with a lost response",
    action: "delete",
    usual: "deleted",
    emulator: { faults: [lostDelete] },
    setUp: async ({ existing }) => ({ inputs: { deployment_id: (await existing("agent")).id } }),
    targets: [{ ...platform.deployment, name: "deployment afterwards", expected: search, optionalId: true }],
  },
];
