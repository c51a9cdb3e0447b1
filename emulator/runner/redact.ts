/** Takes secrets out of what builds and agents print. */

/** Shorter text is no secret but would be found everywhere. */
const MIN_LENGTH = 4;

export interface Redactor {
  (text: string): string;
  /** The length of the longest text that it replaces. */
  readonly maxLength: number;
}

/** A function that replaces these secrets, and each line of one that has several. */
export function redactorFor(secrets: readonly string[]): Redactor {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/\r\n|\r|\n/)]);
  const sought = [...new Set(parts)]
    .filter((part) => part.trim().length >= MIN_LENGTH)
    .toSorted((one, other) => other.length - one.length);
  const redact = (text: string) => sought.reduce((rest, part) => rest.replaceAll(part, "***"), text);
  return Object.assign(redact, { maxLength: sought[0]?.length ?? 0 });
}
