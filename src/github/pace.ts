import { retryAfterMs } from "../http/retry-after.ts";
import type { Ports } from "../ports.ts";

/** GitHub asks for a second between writes (docs.github.com, Best practices for using the REST API). Milliseconds. */
const betweenWritesMs = 1000;

/** How long GitHub wants to be left alone after its secondary rate limit, where it doesn't say. Milliseconds. */
const secondaryLimitMs = 60_000;

/** When GitHub may be asked again: its pause between writes, and the rate limits that its answers tell of. */
export class Pace {
  readonly #ports: Pick<Ports, "clock" | "cancelled">;
  #nextWriteAt = 0;
  #blockedUntil = 0;

  constructor(ports: Pick<Ports, "clock" | "cancelled">) {
    this.#ports = ports;
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
    await this.#pause(this.#nextWriteAt - this.#ports.clock.now());
  }

  async untilUnblocked(): Promise<void> {
    await this.#pause(this.blockedMs);
  }

  /**
   * A rate limit: `retry-after`, or no requests left until a moment, or the words of the secondary limit alone
   * (docs.github.com, Rate limits for the REST API).
   */
  noteRefusal(status: number, headers: Readonly<Record<string, string | undefined>>, words: string): void {
    if (status !== 403 && status !== 429) return;
    const now = this.#ports.clock.now();
    const afterMs = retryAfterMs(headers["retry-after"], now);
    if (afterMs !== undefined) this.#blockedUntil = now + afterMs;
    else if (headers["x-ratelimit-remaining"] === "0")
      this.#blockedUntil = Number(headers["x-ratelimit-reset"]) * 1000 || now;
    else if (/secondary rate limit/i.test(words)) this.#blockedUntil = now + secondaryLimitMs;
  }

  /** A cancel cuts the pause short: what is still to be said is said then. */
  async #pause(milliseconds: number): Promise<void> {
    const { clock, cancelled } = this.#ports;
    if (milliseconds <= 0 || cancelled.aborted) return;
    try {
      await clock.sleep(milliseconds, cancelled);
    } catch (error) {
      if (!cancelled.aborted) throw error;
    }
  }
}
