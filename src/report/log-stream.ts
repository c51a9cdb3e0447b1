import type { LogLine } from "../platform/log-lines.ts";
import { type Message, text } from "../text/message.ts";
import type { Renderer } from "./renderer.ts";
import type { Log } from "./runner/log.ts";

/** More would make the step's log unreadable. */
const maxLines = 10_000;
/** In characters. */
export const maxLineLength = 2000;
/** How many lines that were printed are searched again, for the start of a secret that ends in the next ones. */
const maxContextLines = 100;

/** Prints a log of the platform while it grows, in collapsible groups of the step's log. */
export class LogStream {
  readonly #title: Message;
  readonly #log: Pick<Log, "group" | "info" | "endGroup">;
  readonly #render: Renderer;
  /** The last lines that were printed: a secret may begin in them and end in the next ones. */
  #context: readonly LogLine[] = [];
  #printedLines = 0;
  #isFull = false;
  #isGroupOpen = false;

  constructor(title: Message, log: Pick<Log, "group" | "info" | "endGroup">, render: Renderer) {
    this.#title = title;
    this.#log = log;
    this.#render = render;
  }

  /** Whether there were so many lines that no more are printed. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Prints the next lines. */
  add(lines: readonly LogLine[]): void {
    if (this.#isFull) return;
    const window = [...this.#context, ...lines];
    const rendered = this.#render.logLines(window, maxLineLength).slice(this.#context.length);
    this.#context = window.slice(-maxContextLines);
    this.#print(rendered.filter((line) => line.trim() !== ""));
  }

  /** If lines follow, they get another group. */
  closeGroup(): void {
    if (this.#isGroupOpen) this.#log.endGroup();
    this.#isGroupOpen = false;
  }

  #print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (!this.#isGroupOpen) {
      const more = this.#printedLines === 0 ? undefined : text`, continued`;
      this.#log.group(this.#render.plain(text`${this.#title}${more}`));
    }
    this.#isGroupOpen = true;
    const printable = lines.slice(0, maxLines - this.#printedLines);
    for (const line of printable) this.#log.info(line);
    this.#printedLines += printable.length;
    if (printable.length === lines.length) return;
    this.#isFull = true;
    this.#log.info(`This log has more than ${maxLines} lines. The platform shows the rest.`);
    this.closeGroup();
  }
}
