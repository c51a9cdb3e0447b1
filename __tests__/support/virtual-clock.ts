import { setImmediate as macrotask } from "node:timers/promises";
import type { Clock } from "../../src/clock.ts";
import type { RequestsInFlight } from "./requests-in-flight.ts";

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
  readonly fail: (reason: unknown) => void;
}

interface Appointment {
  readonly at: number;
  readonly callback: () => unknown;
}

/**
 * Time that passes only while someone sleeps, and then at once: half an hour of polling takes as long as its requests.
 * Sleepers wake in the order of their times. With `requests`, time stands still while one of them is in flight, so that
 * what several runs do at the same time always happens in the same order. What bounds a single request is a real timer.
 */
export class VirtualClock implements Clock {
  readonly #start: number;
  readonly #requests: RequestsInFlight | undefined;
  #now: number;
  #sleepers: Sleeper[] = [];
  #appointments: Appointment[] = [];
  #running = false;

  /** `start`: milliseconds since the epoch. */
  constructor(start: number = Date.parse("2026-03-02T09:00:00Z"), requests?: RequestsInFlight) {
    this.#start = start;
    this.#now = start;
    this.#requests = requests;
  }

  now(): number {
    return this.#now;
  }

  /** Milliseconds since this clock was made. */
  elapsed(): number {
    return this.#now - this.#start;
  }

  /**
   * Runs `callback` and awaits it once `elapsed()` is `elapsedMs` and somebody sleeps past that time. All sleepers get
   * what it throws.
   */
  at(elapsedMs: number, callback: () => unknown): void {
    this.#arrange({ at: this.#start + elapsedMs, callback });
  }

  every(intervalMs: number, callback: () => void): () => void {
    let stopped = false;
    const arrangeNext = () => this.#arrange({ at: this.#now + intervalMs, callback: tick });
    const tick = () => {
      if (!stopped) {
        callback();
        arrangeNext();
      }
    };
    arrangeNext();
    return () => {
      stopped = true;
    };
  }

  async sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper: Sleeper = { wakeAt: this.#now + Math.max(0, durationMs), wake: resolve, fail: reject };
    const stop = () => {
      this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#sleepers.push(sleeper);
    void this.#run();
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #arrange(appointment: Appointment): void {
    this.#appointments.push(appointment);
    this.#appointments.sort((one, other) => one.at - other.at);
  }

  async #run(): Promise<void> {
    if (this.#running) {
      return;
    }
    this.#running = true;
    try {
      for (let next = await this.#next(); next !== undefined; next = await this.#next()) {
        await next();
      }
    } catch (error) {
      for (const sleeper of this.#sleepers.splice(0)) {
        sleeper.fail(error);
      }
    } finally {
      this.#running = false;
    }
  }

  /** What is due next, an appointment before a sleeper of the same time. */
  async #next(): Promise<(() => unknown) | undefined> {
    await this.#everyoneSleeps();
    const sleeper = this.#sleepers.toSorted((one, other) => one.wakeAt - other.wakeAt)[0];
    if (sleeper === undefined) {
      return undefined;
    }
    const appointment = this.#appointments[0];
    if (appointment !== undefined && appointment.at <= sleeper.wakeAt) {
      this.#appointments.shift();
      this.#now = Math.max(this.#now, appointment.at);
      return appointment.callback;
    }
    this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
    this.#now = sleeper.wakeAt;
    return sleeper.wake;
  }

  /**
   * Resolves when no request is in flight and whoever was woken, or got the last response, sleeps again or has begun
   * nothing else. One macrotask is enough for that: Node runs all microtasks and ticks before the next one
   * (https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick).
   */
  async #everyoneSleeps(): Promise<void> {
    do {
      await this.#requests?.end();
      await macrotask();
    } while (this.#requests?.areOver === false);
  }
}
