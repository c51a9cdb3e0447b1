import type { ActionName, Phase } from "./run.ts";
import { needsCleanUp } from "./runner/state.ts";
import { start } from "./start.ts";

/** What the launchers in `dist/` call. A `post:` step runs in every job and almost always has nothing to do. */
export async function main(name: ActionName, phase: Phase): Promise<void> {
  if (phase === "post" && !needsCleanUp(process.env)) return;
  await start(name, phase);
}
