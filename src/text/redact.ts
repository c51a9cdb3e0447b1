import { removeInvisible } from "./sanitize.ts";
import { secretPatterns } from "./secret-pattern.ts";

/** Removes a run's secrets, of which the run may learn more while it runs. Line ends stay where they are. */
export interface RunRedactor {
  text(text: string): string;
  /**
   * Redacts IDs, names and URLs that are used later: without the run's credentials, and without those values of `secrets`
   * that can't be there by chance. Some values are no secrets, such as a region, and a URL may well contain them.
   */
  value(text: string): string;
  /** Adds credentials of the run. */
  add(secrets: readonly string[]): void;
}

/** The runner's log shows the same for what it masks. */
const replacement = "***";

/** A text that was cut, without what follows its last secret: that may be the start of another one. */
export function untilLastSecret(redacted: string): string {
  const at = redacted.lastIndexOf(replacement);
  return at < 0 ? redacted : redacted.slice(0, at + replacement.length);
}

/**
 * A function that replaces secrets and the user names and passwords of URLs. The runner masks only some of their forms,
 * and nothing that goes to GitHub or another step. Invisible characters go first: removed later, they would put a secret
 * together again.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const { long, short } = secretPatterns(secrets);
  return (text) => {
    const visible = removeInvisible(text);
    const found = new Set(visible.replace(/[ \n]+/g, "").match(long));
    return [...found]
      .toSorted((one, other) => other.length - one.length)
      .reduce((rest, secret) => rest.replace(broken(secret), hide), visible)
      .replace(short, hide);
  };
}

/**
 * Matches a secret wherever blanks and line ends break it. For all secrets at once, that would take a kilobyte for each
 * character.
 */
function broken(text: string): RegExp {
  const characters = Array.from(text, (character) => character.replace(/\W/g, "\\$&"));
  return new RegExp(characters.join("[ \\n]*"), "g");
}

/** What replaces a secret. Its line ends stay where they are. */
function hide(secret: string): string {
  return secret.replace(/.+/g, replacement);
}

/** What a run must not show. */
export interface RunSecrets {
  /** The credentials of the action itself, which nothing may contain. */
  readonly credentials: readonly string[];
  /** The values that an ID or a URL may contain by chance. */
  readonly values: readonly string[];
}

/** Shorter values are often ordinary words, which an id or a URL contains by chance. */
const minDistinctiveLength = 12;

/** The redactor of a run. `shown`: what the run shows anyway, so that a value in it is not secret in an id or a URL. */
export function createRunRedactor(secrets: RunSecrets, shown: readonly string[]): RunRedactor {
  const isDistinctive = (value: string) =>
    value.length >= minDistinctiveLength && !shown.some((text) => text.includes(value));
  const { values } = secrets;
  const credentials = new Set(secrets.credentials);
  const create = () => ({
    all: createRedactor([...credentials, ...values]),
    distinctive: createRedactor([...credentials, ...values.filter(isDistinctive)]),
  });
  let current = create();
  return {
    text: (text) => current.all(text),
    value: (text) => current.distinctive(text),
    add: (added) => {
      if (added.every((secret) => credentials.has(secret))) return;
      for (const secret of added) credentials.add(secret);
      current = create();
    },
  };
}
