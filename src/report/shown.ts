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
  return new Proxy(facts, {
    get(target, field): unknown {
      const fact: unknown = Reflect.get(target, field);
      if (ownNames.has(field)) return fact;
      const shown = valueNames.has(field) ? redact.value : redact.words;
      return withTexts(fact, (text) => cut(shown(text)));
    },
  });
}

/** How a run ended, with what is quoted there freed of secrets. */
export function shownEnding(ending: Ending, { words }: Redactor): Ending {
  const { message, hint, items } = ending;
  return {
    ...ending,
    message: cut(words(message)),
    ...(hint !== undefined && { hint: words(hint) }),
    ...(items !== undefined && { items: items.map((item) => cut(words(item))) }),
  };
}

function cut(text: string): string {
  return text.length <= mostCharacters ? text : inertExcerpt(text, mostCharacters);
}
