/** One at a time, in the order of arrival. */

export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` when all earlier work has ended. If the signal aborts before that, rejects with its reason. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    try {
      await Promise.race([before, aborted(signal)]);
      signal.throwIfAborted();
      return await work();
    } finally {
      resolve();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
