import type { FailureLog, LogCause } from "../../results/watch.ts";

/** Such as `KeyError: 'MODEL_API_KEY'` in Python, or `MODEL_API_KEY is not set`: other lines of a log name variables too. */
const missing =
  /KeyError: '([A-Z][A-Z\d_]{0,99})'|\b([A-Z][A-Z\d_]{0,99}_[A-Z\d]{1,99}) (?:is |was )?(?:not set|missing|required|undefined)\b/;

/** What a log gives as the reason of the failure, as far as that decides what to do; undefined if it is something else. */
export function findLogCause({ type, lines }: FailureLog): LogCause | undefined {
  const [, ofKeyError, ofSentence] = lines.map(({ text }) => missing.exec(text)).findLast(Boolean) ?? [];
  const variable = ofKeyError ?? ofSentence;
  // A build's log names variables of the package manager.
  if (variable !== undefined && type !== "build") return { kind: "missing_variable", variable };
  return lines.some(({ text }) => /\bSyntaxError: /.test(text)) ? { kind: "syntax_error" } : undefined;
}
