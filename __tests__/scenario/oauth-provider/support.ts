import { afterEach } from "@jest/globals";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { type RecordingContext, recordingContext } from "../../support/recording-context.ts";
import { type DeployRun, finish, type Inputs } from "../../support/scenario.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

export interface ProviderScenario {
  readonly emulator: Emulator;
  /** Runs the action for the emulator's provider; `inputs` replace or add to what that needs. */
  update(inputs: Inputs): Promise<DeployRun>;
  start(inputs: Inputs): { readonly context: RecordingContext; readonly ended: Promise<DeployRun> };
}

const open: Emulator[] = [];

afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close();
});

/** An emulator, and the oauth-provider action in this process, which talks to it over real HTTP. */
export async function startProvider(): Promise<ProviderScenario> {
  const clock = new VirtualClock();
  const emulator = await startEmulator({ now: () => clock.now() });
  open.push(emulator);
  const start: ProviderScenario["start"] = (inputs) => {
    const needed = {
      control_plane_url: emulator.url,
      api_key: emulator.apiKey,
      workspace_id: emulator.workspaceId,
      provider_id: "local-provider",
    };
    const variables = Object.entries({ ...needed, ...inputs }).map(([name, value]) => [
      `INPUT_${name.toUpperCase()}`,
      value,
    ]);
    const context = recordingContext(Object.fromEntries(variables), clock);
    return { context, ended: finish({ context, emulator, clock, action: "oauth-provider" }) };
  };
  return { emulator, start, update: (inputs) => start(inputs).ended };
}
