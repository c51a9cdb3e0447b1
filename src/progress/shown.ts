import type { Redactor } from "../text/redact.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { Ending } from "./ending.ts";
import type { Facts } from "./facts.ts";

/** In characters: a summary that is too large isn't shown at all (field guide, 1). No id, status or sentence needs more. */
const maxCharacters = 3000;

/**
 * A function that tells the facts freed of secrets: in whatever comes from the platform, not in what the user or this
 * run said.
 */
export function showing(redact: Redactor): (facts: Facts) => Facts {
  const words = remembered((text) => cut(redact.words(text)));
  const value = remembered((text) => cut(redact.value(text)));
  // One by one, so that the compiler asks of each new fact what it may hold.
  return (facts) => ({
    startedAt: facts.startedAt,
    title: facts.title,
    deploymentId: facts.deploymentId && value(facts.deploymentId),
    name: facts.name && value(facts.name),
    created: facts.created,
    url: facts.url && value(facts.url),
    revisionId: facts.revisionId && value(facts.revisionId),
    resumed: facts.resumed,
    commitSha: facts.commitSha && value(facts.commitSha),
    source: facts.source,
    writtenAt: facts.writtenAt,
    statuses: facts.statuses.map(({ status, at }) => ({ status: words(status), at })),
    statusMessage: facts.statusMessage && words(facts.statusMessage),
    typicalMs: facts.typicalMs,
    failureLog: facts.failureLog && {
      type: facts.failureLog.type,
      lines: facts.failureLog.lines.map(words),
    },
    stage: facts.stage && words(facts.stage),
    healthIsOpen: facts.healthIsOpen,
    rolledBackTo: facts.rolledBackTo && value(facts.rolledBackTo),
    request: facts.request && words(facts.request),
    unsettled: facts.unsettled && words(facts.unsettled),
    deleted: facts.deleted.map(words),
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
  return text.length <= maxCharacters ? text : sanitizeExcerpt(text, maxCharacters);
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
