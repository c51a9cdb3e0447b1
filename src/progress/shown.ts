import { inertExcerpt } from "../text/inert.ts";
import { type Redactor, withTexts } from "../text/redact.ts";
import type { Ending } from "./ending.ts";
import type { Facts } from "./progress.ts";

/** What the user said, and what is never secret. */
const own: readonly (keyof Facts)[] = ["title", "source"];
const values: readonly (keyof Facts)[] = [
  "deploymentId",
  "name",
  "url",
  "revisionId",
  "commitSha",
  "rolledBackTo",
];

/** In characters: a summary that is too large isn't shown at all (field guide, 1). No id, status or sentence needs more. */
const mostCharacters = 3000;

/** The facts, as they grow, freed of secrets in whatever comes from the platform: also in what is added to them later. */
export function shownFacts(facts: Readonly<Facts>, redact: Redactor): Readonly<Facts> {
  const names = (fields: readonly (keyof Facts)[]): ReadonlySet<string | symbol> => new Set(fields);
  const [ownNames, valueNames] = [names(own), names(values)];
  const shownWords = remembered((text) => cut(redact.words(text)));
  const shownValue = remembered((text) => cut(redact.value(text)));
  return new Proxy(facts, {
    get(target, field): unknown {
      const fact: unknown = Reflect.get(target, field);
      if (ownNames.has(field)) return fact;
      return withTexts(fact, valueNames.has(field) ? shownValue : shownWords);
    },
  });
}

/** How a run ended, with what is quoted there freed of secrets. */
export function shownEnding(ending: Ending, { words, value }: Redactor): Ending {
  const { message, hint, items } = ending;
  return {
    ...ending,
    message: cut(words(message)),
    ...(hint !== undefined && { hint: value(hint) }),
    ...(items !== undefined && { items: items.map((item) => cut(words(item))) }),
  };
}

function cut(text: string): string {
  return text.length <= mostCharacters ? text : inertExcerpt(text, mostCharacters);
}

/** Facts are looked at again and again, all statuses at each of them. */
function remembered(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const shown = known.get(text) ?? change(text);
    known.set(text, shown);
    return shown;
  };
}
