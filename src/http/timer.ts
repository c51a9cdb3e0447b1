/** Aborts its signal after a time, unless it is stopped or restarted. Unlike `AbortSignal.timeout` it keeps the process alive. */
export class Timer {
  readonly #controller = new AbortController();
  readonly #timeout: NodeJS.Timeout;

  constructor(durationMs: number) {
    this.#timeout = setTimeout(() => this.#controller.abort(), durationMs);
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
