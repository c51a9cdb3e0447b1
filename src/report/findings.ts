import type { Ending } from "../progress/ending.ts";
import { sanitizeSentence } from "../text/sanitize.ts";

/**
 * What stands above a list of an ending's findings: its message, without those that it tells itself. An answer's
 * message is whole, because a warning or a comment shows nothing else of it.
 */
export function aboveFindings({ message, items = [] }: Ending): string {
  const [first] = items;
  const start = first === undefined ? -1 : message.indexOf(first);
  return start > 0 ? message.slice(0, start).trim() : message;
}

/**
 * The annotations of an ending that has findings: each tells one, first of all, and what else there is to know of it
 * (contract, 3.4).
 */
export function annotationsOf(ending: Ending): readonly string[] {
  const { message, hint, items = [] } = ending;
  const above = aboveFindings(ending);
  if (above === message) return items;
  const request = above.replace(/:$/, ".");
  return items.map((item) => [sanitizeSentence(item, longest), request, hint].filter(Boolean).join(" "));
}

/** In characters; a finding is cut long before. */
const longest = 2000;
