import {
  type PreviewScenario,
  type RecordedRun,
  startPreviewScenario,
} from "../../support/preview-scenario.ts";
import type { Inputs } from "../../support/scenario.ts";

export const quick = { emulator: { statusSeconds: 0 } };

export interface Swept {
  readonly run: RecordedRun;
  readonly deleted: unknown;
  readonly kept: unknown;
}

export async function sweep({ run }: PreviewScenario, inputs: Inputs = {}): Promise<Swept> {
  const swept = await run("sweep", { inputs });
  return {
    run: swept,
    deleted: JSON.parse(String(swept.outputs.deleted)),
    kept: JSON.parse(String(swept.outputs.kept)),
  };
}

/** Pull requests with a preview each; those whose closing got no run are closed. */
export async function previews(
  numbers: readonly number[],
  closed: readonly number[],
): Promise<PreviewScenario> {
  const scenario = await startPreviewScenario(quick);
  for (const number of numbers) {
    scenario.open({ number });
    await scenario.preview("opened", { number });
  }
  for (const number of closed) scenario.shut(number);
  return scenario;
}

export function nameOf(number: number): string {
  return `octo-repo-pr-${number}`;
}

/** Of the deployments on the control plane. */
export function names({ emulator }: PreviewScenario): string[] {
  return emulator.deployments().map(({ name }) => name);
}

export function newestState({ github }: PreviewScenario, number: number): string | undefined {
  return github.deployments(`preview:${nameOf(number)}`)[0]?.statuses[0]?.state;
}
