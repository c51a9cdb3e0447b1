import type { Ending } from "../errors.ts";
import type { OwnRevision } from "../state/own-revision.ts";
import type { MessageLog } from "./message-log.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { savedOutcomeKey } from "./runner/saved-state.ts";

/** Keeps something outside of the run up to date with it: its record or its comment on GitHub. */
export interface RunWriter {
  /** The state by which the post step finds what a killed step did not end. */
  readonly savedState: { readonly key: string; readonly value: object };
  writeRevision(revision: OwnRevision): Promise<void>;
  writeEnd(ending: Ending): Promise<void>;
}

/** Calls the writers of a run one after the other. Their failures are warnings. The run waits for them only at its end. */
export class RunWriters {
  readonly #log: MessageLog;
  readonly #files: CommandFiles;
  readonly #cancelled: AbortSignal;
  #writers: readonly RunWriter[] = [];
  #writes = Promise.resolve();

  constructor(log: MessageLog, files: CommandFiles, cancelled: AbortSignal) {
    this.#log = log;
    this.#files = files;
    this.#cancelled = cancelled;
  }

  /** Adds a writer before earlier ones: the record is written before the comment, because sweep finds previews by it. */
  add(writer: RunWriter): void {
    this.#writers = [writer, ...this.#writers];
  }

  writeRevision(revision: OwnRevision): void {
    for (const writer of this.#writers) {
      const { key, value } = writer.savedState;
      this.#files.saveState(key, JSON.stringify(value));
      this.#enqueue(() => writer.writeRevision(revision));
    }
  }

  /** @throws the bug of a writer */
  async writeEnd(ending: Ending): Promise<void> {
    if (this.#writers.length > 0) this.#files.saveState(savedOutcomeKey, ending.outcome);
    for (const writer of this.#writers) this.#enqueue(() => writer.writeEnd(ending));
    await this.whenIdle();
    // After a cancellation, time may be too short for the updates, so the post step checks them.
    if (this.#cancelled.aborted) return;
    for (const { savedState } of this.#writers) this.#files.saveState(savedState.key, "");
  }

  /** Resolves when the writers have written what they were called for. @throws the bug of a writer */
  async whenIdle(): Promise<void> {
    await this.#writes;
  }

  /** Adds a call of a writer. An error that is a bug does not stop the calls after it. */
  #enqueue(write: () => Promise<void>): void {
    this.#writes = this.#writes.finally(() => this.#log.warnOnFailure(write));
    // `whenIdle` rethrows the error. Without a handler here, Node would end the process before.
    this.#writes.catch(() => {});
  }
}
