/** What the reader's visitors see. */
import * as v from "valibot";
import type { World } from "./world.ts";

/** The version of the agent that answers at the deployment's URL. @throws if there is no deployment of that name */
export async function liveVersion({ emulator }: World, name = "my-agent"): Promise<string> {
  const { url } = deploymentOf(emulator, name);
  const response = await fetch(`${url}/info`);
  return v.parse(v.object({ version: v.string() }), await response.json()).version;
}

export function deploymentOf(emulator: World["emulator"], name = "my-agent") {
  const found = emulator.deployments().find((deployment) => deployment.name === name);
  if (found === undefined) throw new Error(`There is no deployment ${name}`);
  return found;
}

export function deploymentNames({ emulator }: World): string[] {
  return emulator.deployments().map(({ name }) => name);
}
