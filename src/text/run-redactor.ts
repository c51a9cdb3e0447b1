import { createRedactor } from "./redact.ts";

/** Removes a run's secrets, to which the run may add. Line ends stay. */
export interface RunRedactor {
  forPeople(text: string): string;
  /**
   * Redacts IDs, names and URLs for programs: credentials, and those values of `secrets` that can't be there by chance. Other
   * values, such as the name of a region, may be a proper part of a URL.
   */
  forPrograms(text: string): string;
  /** Adds credentials of the run. */
  add(secrets: readonly string[]): void;
  /** Adds values that are redacted only for people. Short ones are left out, because they are often ordinary words. */
  addForPeople(values: readonly string[]): void;
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
  const valuesForPrograms = secrets.values.filter(isDistinctive);
  const valuesForPeople = new Set(secrets.values);
  let credentials = secrets.credentials;
  const create = () => ({
    forPeople: createRedactor([...credentials, ...valuesForPeople]),
    forPrograms: createRedactor([...credentials, ...valuesForPrograms]),
  });
  let current = create();
  return {
    forPeople: (raw) => current.forPeople(raw),
    forPrograms: (raw) => current.forPrograms(raw),
    add: (added) => {
      credentials = [...credentials, ...added];
      current = create();
    },
    addForPeople: (values) => {
      const before = valuesForPeople.size;
      for (const value of values.filter(isDistinctive)) valuesForPeople.add(value);
      if (valuesForPeople.size > before) current = create();
    },
  };
}
