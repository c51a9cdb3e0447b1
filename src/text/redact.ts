import { type Place, type Reading, readingsOf, without } from "./readings.ts";
import { type Forms, filler, formsOf } from "./secret-forms.ts";

/** Takes a run's secrets out of text that came from outside. */
export interface Redactor {
  /** For words that people read: like the log, they lose whatever is masked. */
  words(text: string): string;
  /**
   * For ids, names and addresses that something goes on with: they lose credentials, and other secrets where they
   * can't be there by chance. What `secrets` holds are a deployment's environment variables, such as its region or its
   * own name, and an address may well hold these.
   */
  value(text: string): string;
}

/** What stands in place of a secret, as in the runner's log. */
const asterisks = "***";
/** A user name, and most often a password or token, in front of an address' host. */
const userInAddress = /(?<=:\/\/)[^\s/?#@]+(?=@)/g;

/** Whether something was taken out: such an id is none to go on with. */
export function wasRedacted(text: string): boolean {
  return text.includes(asterisks);
}

/** What besides filler may stand between bytes in hexadecimal. */
const byteMarks = /[:-]+/g;

/**
 * A function that takes secrets out of text: as they are, and in the forms in which a server quotes what it was sent;
 * and the user names and passwords of addresses, which nobody told us of.
 * The runner's masks hide secrets in the log alone, and none in hexadecimal (field guide, 1); summaries, comments,
 * records and outputs are the action's own business.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const forms = formsOf([...secrets]);
  return (text) => {
    const found = readingsOf(text).flatMap((reading) => placesIn(reading, forms));
    let shown = "";
    let end = 0;
    for (const place of found.sort((one, other) => one.start - other.start)) {
      // Stretches that overlap or touch are one.
      if (place.start > end || end === 0) shown += text.slice(end, place.start) + asterisks;
      end = Math.max(end, place.end);
    }
    return shown + text.slice(end);
  };
}

/** The same value with every text in it changed, at any depth; names stay. */
export function withTexts(part: unknown, change: (text: string) => string): unknown {
  if (typeof part === "string") return change(part);
  if (Array.isArray(part)) return part.map((item) => withTexts(item, change));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withTexts(inner, change)]));
}

function placesIn(reading: Reading, { exact, spread, hexadecimal }: Forms): Place[] {
  const joined = without(reading, filler);
  const digits = without(joined, byteMarks);
  return [
    ...[...reading.text.matchAll(userInAddress)].map(({ 0: user, index }) =>
      reading.place(index, index + user.length),
    ),
    ...exact.flatMap((form) => placesOf(form, reading)),
    ...spread.flatMap((form) => placesOf(form, joined)),
    ...hexadecimal.flatMap((form) => placesOf(form, digits)),
  ];
}

function placesOf(form: string, { text, place }: Reading): Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + 1)) {
    places.push(place(start, start + form.length));
  }
  return places;
}
