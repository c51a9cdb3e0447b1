import type { Context, ProcessContext } from "./context.ts";
import { redactorFor } from "./inputs/masks.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import type { Log } from "./runner/log.ts";
import type { Redactor } from "./text/redact.ts";

/**
 * The context of a run, with its secrets taken out of all that is printed and of all that is written for the runner: so
 * none gets out where a server quotes what it was sent, or an error what it failed at. The runner's own masks don't
 * cover everything (see `createRedactor`).
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

function redactingLog(log: Log, { words }: Redactor): Log {
  return {
    info: (text) => log.info(words(text)),
    notice: (text) => log.notice(words(text)),
    warning: (text) => log.warning(words(text)),
    error: (text) => log.error(words(text)),
    group: (title) => log.group(words(title)),
    endGroup: () => log.endGroup(),
    mask: (value) => log.mask(value),
  };
}

function redactingFiles(files: CommandFiles, { value }: Redactor): CommandFiles {
  return {
    setOutput: (name, text) => files.setOutput(name, value(text)),
    saveState: (name, text) => files.saveState(name, value(text)),
    appendSummary: (markdown) => files.appendSummary(value(markdown)),
  };
}
