import { DEFAULT_WORKSPACE_ID } from "../../../emulator/server.ts";
import { canaries } from "../canaries.ts";
import { platform } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

/** The usage and oauth-provider actions. */
export const accountScenarios: readonly Scenario[] = [
  {
    name: "usage",
    action: "usage",
    healthy: "done",
    emulator: { sampleUsage: true },
    setUp: async () => ({
      inputs: { workspace_ids: DEFAULT_WORKSPACE_ID, json_file: "usage.json", csv_file: "usage.csv" },
    }),
    targets: [
      { ...platform.report, name: "JSON", role: "report" },
      { ...platform.export, name: "CSV", role: "export" },
    ],
  },
  {
    name: "oauth-provider",
    action: "oauth-provider",
    healthy: "done",
    setUp: async () => ({
      inputs: { provider_id: "local-provider", name: "Renamed", client_secret: canaries.clientSecret },
    }),
    targets: [{ ...platform.provider, name: "PATCH", role: "provider" }],
  },
];
