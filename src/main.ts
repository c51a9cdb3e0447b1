import type { ActionName, Phase } from "./run.ts";
import { leftUnsettled } from "./runner/state.ts";

/**
 * What the launchers in `dist/` call. A `post:` step runs in every job and almost always has nothing to do, so all
 * else is loaded only after that is known.
 */
export async function main(name: ActionName, phase: Phase): Promise<void> {
  if (phase === "post" && !leftUnsettled(process.env)) return;
  const { start } = await import("./start.ts");
  await start(name, phase);
}
