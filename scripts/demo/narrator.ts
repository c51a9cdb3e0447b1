import { styleText } from "node:util";
import { maxColumns, wrap } from "./wrap.ts";

/** Prints what the demo says between the logs of its steps. */
export class Narrator {
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Starts a chapter, and explains what it is about to show. */
  chapter(title: string, ...explanation: readonly string[]): void {
    this.#print("");
    this.#print(styleText("bold", `━━ ${title} `.padEnd(maxColumns, "━")));
    for (const line of explanation) this.#print(line);
  }

  /** Reports what came of it. */
  found(...lines: readonly string[]): void {
    this.#print("");
    for (const line of lines.flatMap((one) => wrap(one, maxColumns))) this.#print(styleText("cyan", line));
  }
}
