import type { Range } from "./decoded-text.ts";
import { createSecretSearch } from "./find-secrets.ts";

/** Removes secrets from text. */
interface Redactor {
  text(text: string): string;
  /** `text` for lines of one text that are shown one by one: a secret may begin in one and end in another. */
  lines(lines: readonly string[]): RedactedLines;
}

/** Removes a run's secrets, of which the run may learn more while it runs. */
export interface RunRedactor extends Redactor {
  /**
   * For ids, names and URLs that are used later: without the run's credentials, and without those values of `secrets`
   * that can't be there by chance. Some values are no secrets, such as a region, and a URL may well contain them.
   */
  value(text: string): string;
  /** These are credentials of the run too, from now on. */
  add(secrets: readonly string[]): void;
  /** These are secret in text from now on, and elsewhere as the values of `secrets` are. */
  addValues(values: readonly string[]): void;
}

/** The runner's log shows the same for what it masks. */
const replacement = "***";

/** Whether a redactor removed something: such an id can't be used. */
export function wasRedacted(text: string): boolean {
  return text.includes(replacement);
}

/** Lines of one text, each without secrets. */
interface RedactedLines {
  readonly lines: readonly string[];
  /** The first line that may hold a part of a secret that continues in a further line; the number of lines if none may. */
  readonly unfinishedFrom: number;
}

/**
 * Replaces secrets and the user names and passwords of URLs. The runner does not mask all of their forms, and nothing
 * outside of the log.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const search = createSecretSearch(secrets);
  return {
    text: (text) =>
      replaceRanges(
        text,
        search(text).flatMap(({ ranges }) => ranges),
      ),
    lines(lines) {
      const text = lines.join("\n");
      const found = search(text);
      const ranges = found.flatMap((one) => one.ranges).flatMap((range) => withinLines(text, range));
      const unfinishedAt = Math.min(text.length, ...found.map((one) => one.unfinishedAt()));
      return {
        lines: lines.length === 0 ? [] : replaceRanges(text, ranges).split("\n"),
        unfinishedFrom:
          unfinishedAt === text.length ? lines.length : text.slice(0, unfinishedAt).split("\n").length - 1,
      };
    },
  };
}

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
      all: createRedactor([...credentials, ...values]),
      distinctive: createRedactor([...credentials, ...values.filter(isDistinctive)]),
    };
  };
  let current = create();
  const addTo = (set: Set<string>, added: readonly string[]) => {
    if (added.every((secret) => set.has(secret))) return;
    for (const secret of added) set.add(secret);
    current = create();
  };
  return {
    text: (text) => current.all.text(text),
    lines: (lines) => current.all.lines(lines),
    value: (text) => current.distinctive.text(text),
    add: (added) => addTo(known.credentials, added),
    addValues: (values) => addTo(known.values, values),
  };
}

/** The parts of a range that stand in one line each. */
function withinLines(text: string, { start, end }: Range): Range[] {
  let position = start;
  return text
    .slice(start, end)
    .split("\n")
    .map(({ length }) => {
      const part = { start: position, end: position + length };
      position = part.end + 1;
      return part;
    })
    .filter((part) => part.end > part.start);
}

/** Ranges that overlap or touch become one. */
function replaceRanges(text: string, ranges: readonly Range[]): string {
  let redacted = "";
  let position = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (start > position || position === 0) redacted += text.slice(position, start) + replacement;
    position = Math.max(position, end);
  }
  return redacted + text.slice(position);
}
