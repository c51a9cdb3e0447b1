import { createRedactor } from "./redact.ts";

/** Removes a run's secrets, to which the run may add. Line ends stay. */
export interface RunRedactor {
  redactText(text: string): string;
  /**
   * Redacts an ID, a name or a URL, which programs read: credentials, and those values of `secrets` that can't be there by
   * chance. Other values, such as the name of a region, may be a proper part of a URL.
   */
  redactIdentifier(text: string): string;
  addCredentials(added: readonly string[]): void;
  /** Adds values that are redacted only in texts. Short ones are left out, because they are often ordinary words. */
  addTextSecrets(values: readonly string[]): void;
}

/** Shorter values are often ordinary words, which an ID or a URL contains by chance. */
const minDistinctiveLength = 12;

/**
 * Returns the redactor of a run. `credentials` are those of the action itself, which nothing may contain. An ID or a URL may
 * contain one of the `values` by chance. `publicTexts` are shown anyway, so their parts are no secrets in an ID or a URL.
 */
export function createRunRedactor(
  secrets: { readonly credentials: readonly string[]; readonly values: readonly string[] },
  publicTexts: readonly string[],
): RunRedactor {
  const isDistinctive = (value: string) =>
    value.length >= minDistinctiveLength && !publicTexts.some((publicText) => publicText.includes(value));
  const identifierSecrets = secrets.values.filter(isDistinctive);
  const textSecrets = new Set(secrets.values);
  let credentials = secrets.credentials;
  const create = () => ({
    redactText: createRedactor([...credentials, ...textSecrets]),
    redactIdentifier: createRedactor([...credentials, ...identifierSecrets]),
  });
  // Made when it is needed: a list of deployments adds the secrets of one after the other.
  let current: ReturnType<typeof create> | undefined;
  const redactors = () => {
    current ??= create();
    return current;
  };
  return {
    redactText: (raw) => redactors().redactText(raw),
    redactIdentifier: (raw) => redactors().redactIdentifier(raw),
    addCredentials: (added) => {
      credentials = [...credentials, ...added];
      current = undefined;
    },
    addTextSecrets: (values) => {
      const before = textSecrets.size;
      for (const value of values.filter(isDistinctive)) textSecrets.add(value);
      if (textSecrets.size > before) current = undefined;
    },
  };
}
