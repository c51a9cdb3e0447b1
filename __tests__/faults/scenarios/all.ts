import type { Scenario } from "../scenario.ts";
import { accountScenarios } from "./account.ts";
import { deleteScenarios } from "./delete.ts";
import { deployScenarios, hiddenSourceScenarios } from "./deploy.ts";
import { langsmithScenarios } from "./langsmith.ts";
import { previewScenarios } from "./preview.ts";
import { rollbackScenarios } from "./rollback.ts";
import { sweepScenarios } from "./sweep.ts";

/** All except previews. */
export const otherScenarios: readonly Scenario[] = [
  ...deployScenarios,
  ...hiddenSourceScenarios,
  ...langsmithScenarios,
  ...rollbackScenarios,
  ...deleteScenarios,
  ...sweepScenarios,
  ...accountScenarios,
];

export const allScenarios: readonly Scenario[] = [...otherScenarios, ...previewScenarios];
