import type { InputName } from "../text/input-names.ts";
import { code, inputName, phrase, text } from "../text/message.ts";
import { readAgentChecks, readAgentOptions } from "./read-checks.ts";
import type { InputReader } from "./reader.ts";

/** Reads the inputs with which every action that makes a revision waits for it and checks it. */
export function readRevisionOptions(reader: InputReader) {
  const wait = reader.boolean("wait") ?? true;
  if (!wait) rejectWaitingInputs(reader);
  return {
    wait,
    timeoutMs: reader.durationMs("timeout_seconds", 1800),
    pollIntervalMs: reader.durationMs("poll_interval_seconds", 3),
    checks: {
      ...readAgentChecks(reader),
      serving: reader.oneOf("serving_check", ["auto", "require", "off"], "auto"),
    },
    agent: readAgentOptions(reader),
  };
}

/** The inputs that need `wait: true`, and the value with which they do. `undefined`: any. */
const waitingInputs: readonly (readonly [InputName, value: string | undefined])[] = [
  ["health_check_path", undefined],
  ["smoke_tests", undefined],
  ["serving_check", "require"],
  ["compare_with", undefined],
  ["verify_commit", "true"],
  ["build_log", "live"],
  ["rollback_on_failure", "true"],
  ["on_cancel", "interrupt"],
];

function rejectWaitingInputs(reader: InputReader): void {
  for (const [input, needing] of waitingInputs) {
    const value = reader.optional(input);
    if (value === undefined || (needing !== undefined && value.toLowerCase() !== needing)) continue;
    reader.reject(
      input,
      phrase`needs ${code("wait: true")}, because without waiting the action does not know how the revision ends`,
      { hint: text`Set ${code("wait: true")}, or remove ${inputName(input)}.` },
    );
  }
}
