import { leftBehind } from "./left-behind.ts";
import { outputsOf } from "./outputs.ts";
import type { Renderer } from "./renderer.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { leftKey } from "./runner/saved-state.ts";
import type { RunState } from "./state.ts";

/** Writes the outputs, and what the post step needs, as soon as they change: a killed run leaves them behind. */
export class StateWriter {
  readonly #files: CommandFiles;
  readonly #render: Renderer;
  /** The names of the action's outputs; undefined for all. */
  readonly #outputs: readonly string[] | undefined;
  readonly #written = new Map<string, string>();

  constructor(files: CommandFiles, render: Renderer, outputs: readonly string[] | undefined) {
    this.#files = files;
    this.#render = render;
    this.#outputs = outputs;
  }

  write(state: RunState): void {
    for (const [name, value] of Object.entries(outputsOf(state, this.#render))) {
      if (this.#outputs?.includes(name) !== false) this.#writeChange(name, value, this.#files.setOutput);
    }
    const left = leftBehind(state);
    const saved = left && { shownName: this.#render.value(state.shownName), left: this.#render.plain(left) };
    this.#writeChange(leftKey, saved && JSON.stringify(saved), this.#files.saveState);
  }

  #writeChange(name: string, value = "", write: CommandFiles["setOutput"]): void {
    if ((this.#written.get(name) ?? "") === value) return;
    this.#written.set(name, value);
    write(name, value);
  }
}
