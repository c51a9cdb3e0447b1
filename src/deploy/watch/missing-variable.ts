import type { FailureLog } from "../../results/watch.ts";

/** Such as `KeyError: 'MODEL_API_KEY'` in Python, or `MODEL_API_KEY is not set`: other lines of a log name variables too. */
const missing =
  /KeyError: '([A-Z][A-Z\d_]{0,99})'|\b([A-Z][A-Z\d_]{0,99}_[A-Z\d]{1,99}) (?:is |was )?(?:not set|missing|required|undefined)\b/;

/** The variable whose lack a server's log gives as its error; undefined if there is none. */
export function findMissingVariable({ type, lines }: FailureLog): string | undefined {
  // A build's log names variables of the package manager.
  if (type === "build") return undefined;
  const [, ofKeyError, ofSentence] = lines.map(({ text }) => missing.exec(text)).findLast(Boolean) ?? [];
  return ofKeyError ?? ofSentence;
}
