import { sanitizeExcerpt } from "../../text/sanitize.ts";

/** In characters: how much of a response around a place is searched for secrets, far more than is shown. */
const redactedLength = 20_000;
const maxLength = 400;
/** How much is shown before the place. */
const lead = 80;

/**
 * One line around a place of a text, redacted and sanitized. `locate` finds the place; it is called again after the
 * redaction, which moves it.
 */
export function excerptAround(
  text: string,
  locate: (text: string) => number,
  redact: (text: string) => string,
): string {
  const place = locate(text);
  const redacted = redact(text.slice(Math.max(0, place - redactedLength), place + redactedLength));
  const start = Math.max(0, locate(redacted) - lead);
  const excerpt = sanitizeExcerpt(redacted.slice(start, start + 2 * maxLength), maxLength);
  return start === 0 || excerpt === "" ? excerpt : `…${excerpt}`;
}

/** Where a text comes closest to one that is not in it: where it is in other case, or else where most of its start is. */
export function closestPlace(text: string, wanted: string): number {
  const inOtherCase = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (inOtherCase >= 0) return inOtherCase;
  let [found, missing] = [0, wanted.length];
  while (missing - found > 1) {
    const length = Math.floor((found + missing) / 2);
    if (text.includes(wanted.slice(0, length))) found = length;
    else missing = length;
  }
  return text.indexOf(wanted.slice(0, found));
}

/** The first place in which two texts differ. */
export function firstDifference(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  return place;
}
