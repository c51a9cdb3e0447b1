import { systemClock } from "./clock.ts";
import { CancelledError } from "./errors.ts";
import { runnerFiles } from "./report/runner/command-files.ts";
import { runnerLog } from "./report/runner/step-log.ts";
import { type ActionName, logInternalError, type Phase, run } from "./run.ts";
import { readWorkflowRun } from "./workflow-run.ts";

/** The time for open connections to close after the report. A hanging one must not keep the job alive. */
const maxLingerMs = 500;

/** The version that each action.yml names. Only act starts an action with the Node on the PATH instead. */
const minNodeVersion = 24;

/**
 * Runs an action with the real clock, log and files. The launchers in `dist/` call it. Those of `post:` steps call it only if
 * there is something to clean up.
 */
export async function main(name: ActionName, phase: Phase): Promise<void> {
  // Node exits if the event loop is empty, even while a promise is pending. That must not look like a success.
  process.exitCode = 1;
  const cancellation = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => cancellation.abort(new CancelledError(signal)));
  }
  // If the reader of the output is gone, the error must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const log = runnerLog();
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < minNodeVersion) {
    const message = `This action needs Node.js ${minNodeVersion}, but runs on ${node}. Update the runner to 2.329.0 or newer. With act, put Node.js ${minNodeVersion} first on PATH.`;
    log.error(message, { title: "Node.js is too old" });
    return;
  }
  const { env } = process;
  let hasCrashed = false;
  process.on("uncaughtException", (thrown) => {
    hasCrashed = true;
    logInternalError(thrown, { env, log });
    process.exitCode = 1;
  });
  const effects = {
    env,
    workflow: readWorkflowRun(env),
    clock: systemClock,
    log,
    files: runnerFiles(log),
    random: Math.random,
    cancelled: cancellation.signal,
  };
  const reportDeadlock = () => logInternalError(new Error("stalled with no pending work"), effects);
  process.once("beforeExit", reportDeadlock);
  const succeeded = await run(name, phase, effects);
  process.off("beforeExit", reportDeadlock);
  if (succeeded && !hasCrashed) process.exitCode = 0;
  setTimeout(() => process.exit(), maxLingerMs).unref();
}
