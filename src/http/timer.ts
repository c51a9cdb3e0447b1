/**
 * Aborts its signal after so many milliseconds, unless it is stopped or restarted before. Unlike `AbortSignal.timeout`
 * it keeps the process alive: what waits for it is told.
 */
export class Timer {
  readonly #controller = new AbortController();
  readonly #timeout: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#timeout = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.#timeout.refresh();
  }

  stop(): void {
    clearTimeout(this.#timeout);
  }
}
