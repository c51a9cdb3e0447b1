import type { LogLine } from "../platform/log-lines.ts";
import { type Message, text } from "../text/message.ts";
import type { Renderer } from "./renderer.ts";
import type { Log } from "./runner/log.ts";

/** More would make the step's log unreadable. */
const maxLines = 10_000;
const maxLineLength = 2000;
/** How many lines before those that are shown may hold the start of a secret that ends in them. */
const maxContextLines = 100;

/**
 * Prints a log of the platform while it grows, in collapsible groups of the step's log. It may come in several pages: a
 * secret that one page begins and the next one ends is redacted in both.
 */
export class LogStream {
  readonly #title: Message;
  readonly #log: Pick<Log, "group" | "info" | "endGroup">;
  readonly #render: Renderer;
  /** The last lines that were printed: a secret may begin in them and end in the next ones. */
  #context: readonly LogLine[] = [];
  /** The next lines, not printed yet: a secret may begin in them and end in what is still to come. */
  #held: readonly LogLine[] = [];
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

  /** Prints the next lines after those that were held back. The last ones may be held back now. */
  add(lines: readonly LogLine[]): void {
    this.#held = [...this.#held, ...lines];
    this.#release("finished");
  }

  /** Prints what was held back: nothing follows. */
  end(): void {
    this.#release("all");
  }

  /** If lines follow, they get another group. */
  closeGroup(): void {
    if (this.#isGroupOpen) this.#log.endGroup();
    this.#isGroupOpen = false;
  }

  #release(which: "finished" | "all"): void {
    if (this.#isFull || this.#held.length === 0) return;
    const [context, held] = [this.#context, this.#held];
    const { lines, unfinishedFrom } = this.#render.logLines([...context, ...held], maxLineLength);
    const end = which === "all" ? lines.length : Math.max(context.length, unfinishedFrom);
    const count = end - context.length;
    this.#held = held.slice(count);
    this.#context = [...context, ...held.slice(0, count)].slice(-maxContextLines);
    this.#print(lines.slice(context.length, end).filter((line) => line.trim() !== ""));
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
