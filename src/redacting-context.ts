import type { Context, ProcessContext } from "./context.ts";
import { redactorFor } from "./inputs/masks.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import type { Log } from "./runner/log.ts";
import type { Redactor } from "./text/redact.ts";

/**
 * The context of a run that redacts its secrets from the log and from the runner's files: a server or an error message
 * may quote them. The runner masks secrets in the log only, and not in every form (see SECURITY.md).
 */
export function withRedaction(context: ProcessContext): Context {
  const redact = redactorFor(context.env);
  return {
    ...context,
    redact,
    log: redactingLog(context.log, redact),
    files: redactingFiles(context.files, redact),
  };
}

/** A log without secrets, whatever is logged. */
export function redactingLog(log: Log, redact: Redactor): Log {
  return {
    info: (text) => log.info(redact.text(text)),
    notice: (text) => log.notice(redact.text(text)),
    warning: (text) => log.warning(redact.text(text)),
    error: (text) => log.error(redact.text(text)),
    group: (title) => log.group(redact.text(title)),
    endGroup: () => log.endGroup(),
    mask: (value) => log.mask(value),
  };
}

function redactingFiles(files: CommandFiles, redact: Redactor): CommandFiles {
  return {
    setOutput: (name, value) => files.setOutput(name, redact.value(value)),
    saveState: (name, value) => files.saveState(name, redact.value(value)),
    appendSummary: (markdown) => files.appendSummary(redact.value(markdown)),
  };
}
