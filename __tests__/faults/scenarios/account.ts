import { DEFAULT_WORKSPACE_ID } from "../../../emulator/server.ts";
import { canaries } from "../canaries.ts";
import { on, type Scenario } from "../scenario.ts";

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
      {
        name: "JSON",
        server: "platform",
        role: "report",
        route: on("GET", /\/granular-usage$/),
        idless: true,
      },
      {
        name: "CSV",
        server: "platform",
        role: "export",
        route: on("GET", /\/granular-usage\/export$/),
        idless: true,
      },
    ],
  },
  {
    name: "oauth-provider",
    action: "oauth-provider",
    healthy: "done",
    setUp: async () => ({
      inputs: {
        provider_id: "local-provider",
        name: "Renamed",
        client_secret: canaries.clientSecret,
      },
    }),
    targets: [
      {
        name: "PATCH",
        server: "platform",
        role: "provider",
        route: on("PATCH", /^\/v2\/auth\/providers\/local-provider$/),
        writes: true,
      },
    ],
  },
];
