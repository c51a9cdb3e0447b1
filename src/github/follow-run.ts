import type { Context } from "../context.ts";
import type { Ending } from "../errors.ts";
import type { AnnouncedRevision } from "../report/run-listener.ts";
import type { GitHubClient } from "./github-client.ts";

/** Keeps the record or the comment of a run up to date. */
interface RunWriter {
  /** The state by which the post step finds what a killed step did not end. */
  readonly savedState: { readonly key: string; readonly value: object };
  writeRevision(revision: AnnouncedRevision): Promise<void>;
  writeEnd(ending: Ending): Promise<void>;
}

/** Calls the writer when the revision is known and when the run has ended. The run does not wait for it before its end. */
export function followRun(
  { savedState: { key, value }, ...writer }: RunWriter,
  github: GitHubClient,
  { report, files, cancelled }: Context,
): void {
  report.prependListener({
    onRevision(revision) {
      files.saveState(key, JSON.stringify(value));
      github.enqueue(() => writer.writeRevision(revision));
    },
    async onEnd(ending) {
      github.enqueue(() => writer.writeEnd(ending));
      await github.endQueue();
      // After a cancellation, time may be too short for the update, so the post step checks it.
      if (!cancelled.aborted) files.saveState(key, "");
    },
  });
}
