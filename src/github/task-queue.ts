/** Runs tasks in order, one after the other, beside whatever else happens. */
export class TaskQueue {
  #last: Promise<void> = Promise.resolve();
  readonly #failures: unknown[] = [];

  add(task: () => Promise<void>): void {
    this.#last = this.#last.then(task).catch((error: unknown) => void this.#failures.push(error));
  }

  /** Resolves when all tasks so far have ended. @throws the first error of a task */
  async end(): Promise<void> {
    await this.#last;
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}
