import type { Context } from "../context.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { isRateLimit, type Refusal } from "./refusal.ts";

/** GitHub asks for a second between writes (docs.github.com, Best practices for using the REST API). Milliseconds. */
const betweenWritesMs = 1000;

/** How long GitHub wants to be left alone after its secondary rate limit, where it doesn't say. Milliseconds. */
const secondaryLimitMs = 60_000;

/** What GitHub puts off for longer than this isn't waited for, in milliseconds. */
export const maxWaitMs = 60_000;

/** When GitHub may be asked again: its pause between writes, and the rate limits that its answers tell of. */
export class Pace {
  readonly #context: Pick<Context, "clock" | "cancelled">;
  #nextWriteAt = 0;
  #blockedUntil = 0;

  constructor(context: Pick<Context, "clock" | "cancelled">) {
    this.#context = context;
  }

  /** When the last rate limit ends or ended, in milliseconds since the epoch. */
  get blockedUntil(): number {
    return this.#blockedUntil;
  }

  /** How long a rate limit still lasts, in milliseconds; 0 where there is none. */
  get blockedMs(): number {
    return Math.max(0, this.#blockedUntil - this.#context.clock.now());
  }

  wrote(): void {
    this.#nextWriteAt = this.#context.clock.now() + betweenWritesMs;
  }

  /** Waits until a write may follow the one before it. */
  async untilNextWrite(): Promise<void> {
    await this.pause(this.#nextWriteAt - this.#context.clock.now());
  }

  async untilUnblocked(): Promise<void> {
    await this.pause(this.blockedMs);
  }

  /**
   * Notes a rate limit: `retry-after`, or no requests left until a moment, or the words of the secondary limit alone
   * (docs.github.com, Rate limits for the REST API). Answers with when it ends, in milliseconds since the epoch;
   * undefined where it isn't one or doesn't say.
   */
  noteRefusal(refusal: Refusal): number | undefined {
    const { status, headers, words } = refusal;
    const isGraphql = status === undefined;
    if (isGraphql ? !isRateLimit(refusal) : status !== 403 && status !== 429) return undefined;
    const now = this.#context.clock.now();
    const afterMs = retryAfterMs(headers["retry-after"], now);
    if (afterMs !== undefined) return this.#block(now + afterMs);
    if (headers["x-ratelimit-remaining"] === "0") {
      const resetAt = Number(headers["x-ratelimit-reset"]) * 1000 || now;
      // What GraphQL is asked is counted apart from the rest, which isn't held up by it.
      return isGraphql ? resetAt : this.#block(resetAt);
    }
    return /secondary rate limit/i.test(words) ? this.#block(now + secondaryLimitMs) : undefined;
  }

  #block(until: number): number {
    this.#blockedUntil = until;
    return until;
  }

  /** Waits so many milliseconds. A cancel cuts the pause short: what is still to be said is said then. */
  async pause(milliseconds: number): Promise<void> {
    const { clock, cancelled } = this.#context;
    if (milliseconds <= 0 || cancelled.aborted) return;
    try {
      await clock.sleep(milliseconds, cancelled);
    } catch (error) {
      if (!cancelled.aborted) throw error;
    }
  }
}
