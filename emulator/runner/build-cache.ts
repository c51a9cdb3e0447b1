/** Builds a revision in a folder of its own, unless it was built before. */
import { existsSync } from "node:fs";
import type { Run } from "../store/runs.ts";
import { build } from "./build.ts";
import type { OutputLog } from "./output-log.ts";
import { retryWrite } from "./retry-write.ts";
import type { RunnerContext } from "./runner-context.ts";

export interface BuildOptions {
  readonly deploymentId: string;
  readonly log: OutputLog;
  readonly signal: AbortSignal;
  /** Called when no other build is running any more. */
  readonly onTurn: () => Promise<void>;
}

/**
 * The folder of the built revision. One that was built before, and that no other agent runs in, is used again.
 * @throws {RunFailure} if its source is invalid or a command fails
 * @throws the reason of the signal, and what `onTurn` throws
 */
export async function buildOrReuse(
  run: Run,
  { deploymentId, log, signal, onTurn }: BuildOptions,
  { runs, builds, folders, environments, settings, watchdog, archiveOf }: RunnerContext,
): Promise<string> {
  const live = runs.live(deploymentId)[0];
  const isTaken = live?.folder === run.folder && live.revisionId !== run.revisionId;
  if (run.folder !== null && !isTaken && existsSync(run.folder)) return run.folder;
  return await builds.take(signal, async () => {
    await onTurn();
    const folder = await folders.create(deploymentId, run.revisionId);
    await build(run, {
      deploymentId,
      folder,
      environments,
      log,
      watchdog,
      settings,
      signal,
      archiveOf: (path) => archiveOf(deploymentId, path),
      onCommit: (commit) => retryWrite(() => runs.setCommit(run.revisionId, commit), signal),
    });
    await retryWrite(() => runs.setFolder(run.revisionId, folder), signal);
    return folder;
  });
}
