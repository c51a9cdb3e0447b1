import { systemClock } from "./clock.ts";
import type { ProcessContext } from "./context.ts";
import { CancelledError } from "./errors.ts";
import { logInternalError } from "./internal-error.ts";
import { type ActionName, type Phase, run } from "./run.ts";
import { runnerFiles } from "./runner/command-files.ts";
import { runnerDisk } from "./runner/disk.ts";
import { ignoreClosedStreams, runnerLog } from "./runner/log.ts";
import { readWorkflowRun } from "./runner/workflow-run.ts";

/** In milliseconds. A connection that hangs after the report must not keep a job alive. */
const maxLingerMs = 500;

/** Runs an action with the real clock, log and files. */
export async function start(name: ActionName, phase: Phase): Promise<void> {
  // Node exits if the event loop runs empty while something is awaited. That must not look like a success.
  process.exitCode = 1;
  // The toolkit's connection through a proxy with a password uses Buffer() (DEP0005), which no user can change.
  process.noDeprecation = true;
  const cancellation = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => cancellation.abort(new CancelledError(signal)));
  }
  ignoreClosedStreams(process.stdout, process.stderr);
  const log = runnerLog();
  let hasCrashed = false;
  process.on("uncaughtException", (thrown) => {
    hasCrashed = true;
    logInternalError(thrown, { env: process.env, log });
    process.exitCode = 1;
  });
  const reportDeadlock = () =>
    log.error("Internal error: stalled with no pending work. Please report it with this log.");
  process.once("beforeExit", reportDeadlock);
  const context: ProcessContext = {
    env: process.env,
    workflow: readWorkflowRun(process.env),
    clock: systemClock,
    log,
    files: runnerFiles(log),
    disk: runnerDisk,
    random: Math.random,
    cancelled: cancellation.signal,
  };
  const succeeded = await run(name, phase, context);
  process.off("beforeExit", reportDeadlock);
  if (succeeded && !hasCrashed) process.exitCode = 0;
  setTimeout(() => process.exit(), maxLingerMs).unref();
}
