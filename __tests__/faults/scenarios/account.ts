import { DEFAULT_WORKSPACE_ID } from "../../../emulator/index.ts";
import { read, usageExport, usageReport } from "../expectations.ts";
import { platform, type Scenario } from "../scenario.ts";
import { canaries } from "../test-bed.ts";

/** The actions usage and oauth-provider. */
export const accountScenarios: readonly Scenario[] = [
  {
    name: "usage",
    action: "usage",
    usual: "done",
    emulator: { sampleUsage: true },
    setUp: async () => ({
      inputs: { workspace_ids: DEFAULT_WORKSPACE_ID, json_file: "usage.json", csv_file: "usage.csv" },
    }),
    targets: [
      { ...platform.report, name: "JSON", expected: usageReport },
      { ...platform.export, name: "CSV", expected: usageExport },
    ],
  },
  {
    name: "oauth-provider",
    action: "oauth-provider",
    usual: "done",
    setUp: async () => ({
      inputs: { provider_id: "local-provider", name: "Renamed", client_secret: canaries.clientSecret },
    }),
    // Doing it twice is the same as once, so it is retried like a read.
    targets: [{ ...platform.provider, name: "PATCH", expected: read }],
  },
];
