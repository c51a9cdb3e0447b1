import { outputsOf } from "./outputs.ts";
import type { Renderer } from "./renderer.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { savedUnfinishedKey } from "./runner/saved-state.ts";
import type { RunState } from "./state.ts";
import { unfinishedWork } from "./unfinished-work.ts";

/**
 * Returns a function that writes changed outputs and unfinished work at once, so that a killed run leaves them behind. `names`:
 * those of the outputs that the action shares with a deploy; undefined for all.
 */
export function createStateWriter(
  { setOutput, saveState }: CommandFiles,
  render: Renderer,
  names: readonly string[] | undefined,
): (state: RunState) => void {
  const written = new Map<string, string>();
  const writeChange = (name: string, value = "", write: CommandFiles["setOutput"]) => {
    if ((written.get(name) ?? "") === value) return;
    written.set(name, value);
    write(name, value);
  };
  return (state) => {
    for (const [name, value] of Object.entries(outputsOf(state, render))) {
      if (names === undefined || names.includes(name)) writeChange(name, value, setOutput);
    }
    for (const [name, value] of Object.entries(state.outputs ?? {})) writeChange(name, value, setOutput);
    const work = unfinishedWork(state);
    const saved = work && { shownName: render.forPrograms(state.shownName), work: render.redacted(work) };
    writeChange(savedUnfinishedKey, saved && JSON.stringify(saved), saveState);
  };
}
