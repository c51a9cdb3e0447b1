import type { Message } from "../text/message.ts";
import type { Renderer } from "./renderer.ts";
import { maxLineLength, type StepLog } from "./runner/step-log.ts";

/** How many earlier lines are searched again, because a secret may continue in the next ones. */
const maxContextLines = 100;

/** Prints a log of the platform while it grows, in collapsible groups of the step's log. */
export class LogStream {
  readonly #title: Message;
  readonly #log: Pick<StepLog, "group" | "info" | "endGroup">;
  readonly #render: Renderer;
  #context: readonly string[] = [];
  #isGroupOpen = false;

  constructor(title: Message, log: Pick<StepLog, "group" | "info" | "endGroup">, render: Renderer) {
    this.#title = title;
    this.#log = log;
    this.#render = render;
  }

  /** Prints the next lines, which must not contain line ends. */
  add(lines: readonly string[]): void {
    const window = [...this.#context, ...lines];
    const printable = this.#render
      .lines(window, maxLineLength)
      .slice(this.#context.length)
      .filter((line) => line.trim() !== "");
    this.#context = window.slice(-maxContextLines);
    if (printable.length === 0) return;
    if (!this.#isGroupOpen) this.#log.group(this.#render.plain(this.#title));
    this.#isGroupOpen = true;
    for (const line of printable) this.#log.info(line);
  }

  /** Closes the group. The next lines open another one. */
  closeGroup(): void {
    if (this.#isGroupOpen) this.#log.endGroup();
    this.#isGroupOpen = false;
  }
}
