import type { Scenario } from "../scenario.ts";
import { accountScenarios } from "./account.ts";
import { deleteScenarios } from "./delete.ts";
import { deployScenarios } from "./deploy.ts";
import { langsmithScenarios } from "./langsmith.ts";
import { previewScenarios } from "./preview.ts";
import { sweepScenarios } from "./sweep.ts";

/** Runs that talk to the platform alone. */
export const platformScenarios: readonly Scenario[] = [
  ...deployScenarios,
  ...deleteScenarios,
  ...langsmithScenarios,
  ...accountScenarios,
];

/** Runs that talk to GitHub, too. */
export const gitHubScenarios: readonly Scenario[] = [...previewScenarios, ...sweepScenarios];

export const allScenarios: readonly Scenario[] = [...platformScenarios, ...gitHubScenarios];
