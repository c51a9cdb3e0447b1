import { systemClock } from "./clock.ts";
import type { ProcessContext } from "./context.ts";
import { CancelledError, toError } from "./errors.ts";
import { withRedaction } from "./redacting-context.ts";
import { type ActionName, type Phase, run } from "./run.ts";
import { runnerFiles } from "./runner/command-files.ts";
import { runnerDisk } from "./runner/disk.ts";
import { ignoreClosedStreams, runnerLog } from "./runner/log.ts";

/** After the report nothing is waited for: a connection that hangs must not keep a job alive. Milliseconds. */
const lingerMs = 500;

/** Runs an action with the real time, log and files. */
export async function start(name: ActionName, phase: Phase): Promise<void> {
  // A process whose event loop runs empty while something is awaited ends by itself: not as a success.
  process.exitCode = 1;
  // The toolkit's way through a proxy with a password calls `Buffer()` (DEP0005), which no user can mend.
  process.noDeprecation = true;
  const cancellation = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => cancellation.abort(new CancelledError(signal)));
  }
  ignoreClosedStreams(process.stdout, process.stderr);
  const log = runnerLog();
  const context: ProcessContext = {
    env: process.env,
    clock: systemClock,
    log,
    files: runnerFiles(log),
    disk: runnerDisk,
    random: Math.random,
    cancelled: cancellation.signal,
  };
  let defect = false;
  process.on("uncaughtException", (thrown) => {
    defect = true;
    withRedaction(context).log.error(`This action has a defect: ${toError(thrown).message}`);
    process.exitCode = 1;
  });
  const reportDeadlock = () => {
    withRedaction(context).log.error(
      "This action has a defect: it waits for what can never come. Please report it with the log of this step.",
    );
  };
  process.once("beforeExit", reportDeadlock);
  const succeeded = await run(name, phase, context);
  process.off("beforeExit", reportDeadlock);
  if (succeeded && !defect) process.exitCode = 0;
  setTimeout(() => process.exit(), lingerMs).unref();
}
