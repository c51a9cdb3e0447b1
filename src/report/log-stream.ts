import type { Message } from "../text/message.ts";
import type { Renderer } from "./renderer.ts";
import { type Log, maxLineLength } from "./runner/log.ts";

/** Prints a log of the platform while it grows, in collapsible groups of the step's log. */
export class LogStream {
  readonly #title: Message;
  readonly #log: Pick<Log, "group" | "info" | "endGroup">;
  readonly #render: Renderer;
  #isGroupOpen = false;

  constructor(title: Message, log: Pick<Log, "group" | "info" | "endGroup">, render: Renderer) {
    this.#title = title;
    this.#log = log;
    this.#render = render;
  }

  /** Prints the next lines. */
  add(lines: readonly string[]): void {
    const printable = this.#render.logLines(lines, maxLineLength);
    if (printable.length === 0) return;
    if (!this.#isGroupOpen) this.#log.group(this.#render.plain(this.#title));
    this.#isGroupOpen = true;
    for (const line of printable) this.#log.info(line);
  }

  /** Closes the group. Lines that follow get another one. */
  closeGroup(): void {
    if (this.#isGroupOpen) this.#log.endGroup();
    this.#isGroupOpen = false;
  }
}
