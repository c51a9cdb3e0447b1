import { retryAfterMs } from "../http/retry-after.ts";
import type { Ports } from "../ports.ts";
import { isRateLimit, type Refusal } from "./refusal.ts";

/** GitHub asks for a second between writes (docs.github.com, Best practices for using the REST API). Milliseconds. */
const betweenWritesMs = 1000;

/** How long GitHub wants to be left alone after its secondary rate limit, where it doesn't say. Milliseconds. */
const secondaryLimitMs = 60_000;

/** What GitHub puts off for longer than this isn't waited for, in milliseconds. */
export const longestWaitMs = 60_000;

/** When GitHub may be asked again: its pause between writes, and the rate limits that its answers tell of. */
export class Pace {
  readonly #ports: Pick<Ports, "clock" | "cancelled">;
  #nextWriteAt = 0;
  #blockedUntil = 0;

  constructor(ports: Pick<Ports, "clock" | "cancelled">) {
    this.#ports = ports;
  }

  /** When the last rate limit ends or ended, in milliseconds since the epoch. */
  get blockedUntil(): number {
    return this.#blockedUntil;
  }

  /** How long a rate limit still lasts, in milliseconds; 0 where there is none. */
  get blockedMs(): number {
    return Math.max(0, this.#blockedUntil - this.#ports.clock.now());
  }

  wrote(): void {
    this.#nextWriteAt = this.#ports.clock.now() + betweenWritesMs;
  }

  /** Waits until a write may follow the one before it. */
  async untilNextWrite(): Promise<void> {
    await this.pause(this.#nextWriteAt - this.#ports.clock.now());
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
    const now = this.#ports.clock.now();
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
    const { clock, cancelled } = this.#ports;
    if (milliseconds <= 0 || cancelled.aborted) return;
    try {
      await clock.sleep(milliseconds, cancelled);
    } catch (error) {
      if (!cancelled.aborted) throw error;
    }
  }
}
