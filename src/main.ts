import type { ActionName, Phase } from "./run.ts";
import { needsCleanUp } from "./runner/state.ts";

/**
 * What the launchers in `dist/` call. A `post:` step runs in every job and almost always has nothing to do, so everything
 * else is loaded only if it has.
 */
export async function main(name: ActionName, phase: Phase): Promise<void> {
  if (phase === "post" && !needsCleanUp(process.env)) return;
  const { start } = await import("./start.ts");
  await start(name, phase);
}
