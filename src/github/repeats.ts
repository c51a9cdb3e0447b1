import type { Context } from "../context.ts";
import { formatDuration } from "../text/duration.ts";
import { PassingError } from "./errors.ts";
import { maxWaitMs, type Pace } from "./pace.ts";

/** A read is repeated so often at most, so that a run makes three times the calls it needs in the worst case. */
const maxRepeats = 2;
/** The shortest pause before that, in milliseconds; up to as much again is left to chance. */
const minPauseMs = 1000;

/** The repeating of reads that failed as they may in passing (contract, 3.1). */
export class Repeats {
  readonly #pace: Pace;
  readonly #context: Pick<Context, "cancelled" | "log" | "random">;
  /** True from a read that failed however often it was repeated, up to the next answer: the deployment goes first. */
  #isDown = false;

  constructor(pace: Pace, context: Pick<Context, "cancelled" | "log" | "random">) {
    this.#pace = pace;
    this.#context = context;
  }

  /** To be called when GitHub has answered what it was asked, be it with a refusal. */
  answered(): void {
    this.#isDown = false;
  }

  /** Reads until GitHub doesn't stumble. @throws the last error of `read`, or the first that isn't a PassingError */
  async whileItStumbles<T>(read: () => Promise<T>): Promise<T> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof PassingError) || !(await this.#waitFor(error, repeats))) throw error;
      }
    }
  }

  /** Waits until the read may be repeated; false where it isn't. */
  async #waitFor(error: PassingError, repeats: number): Promise<boolean> {
    const { cancelled, log, random } = this.#context;
    if (this.#isDown || cancelled.aborted) return false;
    const pauseMs = Math.max(error.pauseMs ?? 0, minPauseMs * (1 + random()));
    if (repeats === maxRepeats || pauseMs > maxWaitMs) {
      this.#isDown = true;
      return false;
    }
    log.info(`${error.message} Trying again in ${formatDuration(pauseMs)}.`);
    await this.#pace.pause(pauseMs);
    return !cancelled.aborted;
  }
}
