import { setImmediate as macrotask } from "node:timers/promises";
import type { Clock } from "../../src/clock.ts";

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
  readonly fail: (reason: unknown) => void;
}

interface Appointment {
  readonly at: number;
  readonly callback: () => unknown;
}

/** Macrotasks that code woken from one sleep gets to start its next, before time moves on to a later sleeper. */
const TURNS_BETWEEN_SLEEPERS = 3;

/**
 * Time that passes only while someone sleeps, and then at once: half an hour of polling takes as long as its
 * requests. Sleepers wake in the order of their times. Time doesn't wait for I/O: a sleep that races a request
 * (a deadline, say) is over before the request is, so what bounds a single request needs a real timer.
 */
export class VirtualClock implements Clock {
  readonly #start: number;
  #now: number;
  #sleepers: Sleeper[] = [];
  #appointments: Appointment[] = [];
  #running = false;

  /** `start` is in milliseconds since the epoch. */
  constructor(start: number = Date.parse("2026-03-02T09:00:00Z")) {
    this.#start = start;
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Milliseconds since this clock was made. */
  elapsed(): number {
    return this.#now - this.#start;
  }

  /**
   * Has `callback` run (and awaits it) once `elapsed()` is `milliseconds` and somebody sleeps past that time.
   * What it throws, every sleeper gets.
   */
  at(milliseconds: number, callback: () => unknown): void {
    this.#arrange({ at: this.#start + milliseconds, callback });
  }

  every(milliseconds: number, callback: () => void): () => void {
    let stopped = false;
    const arrangeNext = () => this.#arrange({ at: this.#now + milliseconds, callback: tick });
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

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper: Sleeper = { wakeAt: this.#now + Math.max(0, milliseconds), wake: resolve, fail: reject };
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
    for (let turn = 0; turn < TURNS_BETWEEN_SLEEPERS; turn += 1) {
      await macrotask();
    }
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
}
