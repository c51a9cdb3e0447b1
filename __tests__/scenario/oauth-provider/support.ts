import { type Inputs, type Scenario, startScenario } from "../../support/scenario.ts";

/** An emulator, and the oauth-provider action for its provider. The given inputs are added to those that this needs. */
export async function startProvider() {
  const scenario: Scenario = await startScenario();
  const { emulator } = scenario;
  const start = (inputs: Inputs) =>
    scenario.start("oauth-provider", { inputs: { provider_id: "local-provider", ...inputs } });
  return { emulator, start, update: (inputs: Inputs) => start(inputs).ended };
}
