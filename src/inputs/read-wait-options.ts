import type { WaitOptions } from "../deploy/deploy-context.ts";
import type { InputName } from "../text/input-names.ts";
import { code, inputName, phrase, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

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

/** Reads how a run waits for its revision. Without waiting, rejects the inputs that depend on how the revision ends. */
export function readWaitOptions(reader: InputReader): WaitOptions {
  const wait = reader.boolean("wait") ?? true;
  for (const [input, needing] of wait ? [] : waitingInputs) {
    const value = reader.optional(input);
    if (value === undefined || (needing !== undefined && value.toLowerCase() !== needing)) continue;
    reader.reject(
      input,
      phrase`needs ${code("wait: true")}, because without waiting the action does not know how the revision ends`,
      { hint: text`Set ${code("wait: true")}, or remove ${inputName(input)}.` },
    );
  }
  return {
    wait,
    timeoutMs: reader.durationMs("timeout_seconds", 1800),
    pollIntervalMs: reader.durationMs("poll_interval_seconds", 3),
  };
}
