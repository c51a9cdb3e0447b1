import { systemClock } from "./clock.ts";
import { CancelledError, toError } from "./errors.ts";
import { hidingSecrets } from "./hiding-ports.ts";
import type { OuterPorts } from "./ports.ts";
import { type ActionName, type Phase, run } from "./run.ts";
import { runnerFiles } from "./runner/command-files.ts";
import { runnerDisk } from "./runner/disk.ts";
import { runnerLog, survivesHangUp } from "./runner/log.ts";

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
  survivesHangUp(process.stdout, process.stderr);
  const log = runnerLog();
  const ports: OuterPorts = {
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
    hidingSecrets(ports).log.error(`This action has a defect: ${toError(thrown).message}`);
    process.exitCode = 1;
  });
  const tellStandstill = () => {
    hidingSecrets(ports).log.error(
      "This action has a defect: it waits for what can never come. Please report it with the log of this step.",
    );
  };
  process.once("beforeExit", tellStandstill);
  const succeeded = await run(name, phase, ports);
  process.off("beforeExit", tellStandstill);
  if (succeeded && !defect) process.exitCode = 0;
  setTimeout(() => process.exit(), lingerMs).unref();
}
