import { redactorFor } from "./inputs/masks.ts";
import type { OuterPorts, Ports } from "./ports.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import type { Log } from "./runner/log.ts";
import type { Redactor } from "./text/redact.ts";

/**
 * The ports of a run, with its secrets taken out of all that is printed and of all that is written for the runner: so
 * none gets out where a server quotes what it was sent, or an error what it failed at. The runner's own masks don't
 * cover everything (see `hiding`).
 */
export function hidingSecrets(ports: OuterPorts): Ports {
  const redact = redactorFor(ports.env);
  return { ...ports, redact, log: hidingLog(ports.log, redact), files: hidingFiles(ports.files, redact) };
}

function hidingLog(log: Log, { words }: Redactor): Log {
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

function hidingFiles(files: CommandFiles, { value }: Redactor): CommandFiles {
  return {
    setOutput: (name, text) => files.setOutput(name, value(text)),
    saveState: (name, text) => files.saveState(name, value(text)),
    appendSummary: (markdown) => files.appendSummary(value(markdown)),
  };
}
