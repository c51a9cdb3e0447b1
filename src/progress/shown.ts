import { inertExcerpt } from "../text/inert.ts";
import { type Redactor, withTexts } from "../text/redact.ts";
import type { Ending } from "./ending.ts";
import type { Facts } from "./facts.ts";

/** `own`: said by the user or by this run; `value` or `words`: maybe by the platform. See `Redactor`. */
type Kind = "own" | "value" | "words";

const kinds: Readonly<Record<keyof Facts, Kind>> = {
  startedAt: "own",
  title: "own",
  deploymentId: "value",
  name: "value",
  created: "own",
  url: "value",
  revisionId: "value",
  resumed: "own",
  commitSha: "value",
  source: "own",
  writtenAt: "own",
  statuses: "words",
  statusMessage: "words",
  usualMs: "own",
  failureLog: "words",
  stage: "words",
  healthIsOpen: "own",
  rolledBackTo: "value",
  request: "words",
  unsettled: "words",
  deleted: "words",
};

/** In characters: a summary that is too large isn't shown at all (field guide, 1). No id, status or sentence needs more. */
const mostCharacters = 3000;

/** The facts, as they grow, freed of secrets in whatever comes from the platform: also in what is added to them later. */
export function shownFacts(facts: Facts, redact: Redactor): Facts {
  const kindOf: ReadonlyMap<string | symbol, Kind> = new Map(Object.entries(kinds));
  const shownWords = remembered((text) => cut(redact.words(text)));
  const shownValue = remembered((text) => cut(redact.value(text)));
  return new Proxy(facts, {
    get(target, field): unknown {
      const fact: unknown = Reflect.get(target, field);
      const kind = kindOf.get(field);
      return kind === "own" ? fact : withTexts(fact, kind === "value" ? shownValue : shownWords);
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
