import type { ProcessContext } from "./context.ts";
import { toError } from "./errors.ts";
import { redactorFor } from "./inputs/masks.ts";
import { redactingLog } from "./redacting-context.ts";
import type { Log } from "./runner/log.ts";

const request = "Please report it with this log.";

/** Logs a bug of this action that no run can report any more, without secrets. */
export function logInternalError(thrown: unknown, { env, log }: Pick<ProcessContext, "env" | "log">): void {
  const error = toError(thrown);
  let redacted: Log;
  try {
    redacted = redactingLog(log, redactorFor(env));
  } catch {
    // The message may quote any of the secrets.
    log.error(`Internal error: ${error.name} before the secrets of this run were known. ${request}`);
    return;
  }
  redacted.error(`Internal error: ${error.message}. ${request}`);
  logStack(error, redacted);
}

export function logStack(error: Error, log: Log): void {
  log.group("Stack of the internal error");
  for (const line of (error.stack ?? error.message).split("\n")) log.info(line);
  log.endGroup();
}
