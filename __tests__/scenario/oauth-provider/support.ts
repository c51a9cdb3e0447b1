import { type Inputs, type Scenario, startScenario } from "../../support/scenario.ts";

/** An emulator, and the oauth-provider action for its provider. The given inputs are added to those that this needs. */
export async function startProvider() {
  const { emulator, startAction }: Scenario = await startScenario();
  const start = (inputs: Inputs) =>
    startAction("oauth-provider", { provider_id: "local-provider", ...inputs });
  return { emulator, start, update: (inputs: Inputs) => start(inputs).ended };
}
