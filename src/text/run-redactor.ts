import { createLineRedactor, createRedactor, type RunRedactor } from "./redact.ts";

/** What a run must not show. */
export interface RunSecrets {
  /** Those of the action itself, which nothing may contain. */
  readonly credentials: readonly string[];
  /** Those that an id or a URL may contain by chance. */
  readonly values: readonly string[];
}

/** Shorter values are often ordinary words, which an id or a URL contains by chance. */
const minDistinctiveLength = 12;

/** `shown`: what the run shows anyway, so that a value in it is not secret in an id or a URL. */
export function createRunRedactor(secrets: RunSecrets, shown: readonly string[]): RunRedactor {
  const isDistinctive = (value: string) =>
    value.length >= minDistinctiveLength && !shown.some((text) => text.includes(value));
  const known = { credentials: new Set(secrets.credentials), values: new Set(secrets.values) };
  const create = () => {
    const [credentials, values] = [[...known.credentials], [...known.values]];
    return {
      text: createRedactor([...credentials, ...values]),
      lines: createLineRedactor([...credentials, ...values]),
      value: createRedactor([...credentials, ...values.filter(isDistinctive)]),
    };
  };
  let current = create();
  const addTo = (set: Set<string>, added: readonly string[]) => {
    if (added.every((secret) => set.has(secret))) return;
    for (const secret of added) set.add(secret);
    current = create();
  };
  return {
    text: (text) => current.text(text),
    lines: (lines) => current.lines(lines),
    value: (text) => current.value(text),
    add: (added) => addTo(known.credentials, added),
    addValues: (values) => addTo(known.values, values),
  };
}
