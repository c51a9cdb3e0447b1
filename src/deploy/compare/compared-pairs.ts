import type { Schema } from "./schema-document.ts";
import type { SchemaFinding } from "./schema-finding.ts";

/** The place of what rests on no pair in progress. */
const nowhere = Number.POSITIVE_INFINITY;

interface Pair {
  findings: readonly SchemaFinding[];
  /** The place of the outermost pair in progress that the findings rest on. */
  restsOn: number;
  isUsed: boolean;
  readonly forget: () => void;
}

/**
 * What pairs of schemas differ in, each found once. A schema may refer to itself, which adds nothing: while a pair is compared,
 * it is supposed to be the same. What rests on a supposition that turns out to be wrong is forgotten.
 */
export class ComparedPairs {
  readonly #pairs = new Map<Schema, Map<Schema, Pair>>();
  /** Those that are found and rest on a pair in progress. */
  readonly #tentative: Pair[] = [];
  #inProgress = 0;
  /** What the findings of the pair in progress rest on so far. */
  #restsOn = nowhere;

  findings(before: Schema, after: Schema, compare: () => readonly SchemaFinding[]): readonly SchemaFinding[] {
    const known = this.#pairs.get(before) ?? new Map<Schema, Pair>();
    this.#pairs.set(before, known);
    const earlier = known.get(after);
    if (earlier !== undefined) {
      earlier.isUsed = true;
      this.#restsOn = Math.min(this.#restsOn, earlier.restsOn);
      return earlier.findings;
    }
    const place = this.#inProgress;
    const pair: Pair = { findings: [], restsOn: place, isUsed: false, forget: () => known.delete(after) };
    known.set(after, pair);
    this.#find(pair, compare);
    return pair.findings;
  }

  #find(pair: Pair, compare: () => readonly SchemaFinding[]): void {
    const [place, outer, innerFrom] = [pair.restsOn, this.#restsOn, this.#tentative.length];
    this.#inProgress += 1;
    this.#restsOn = nowhere;
    pair.findings = compare();
    this.#inProgress -= 1;
    pair.restsOn = this.#restsOn < place ? this.#restsOn : nowhere;
    this.#restsOn = Math.min(outer, pair.restsOn);
    const inner = this.#tentative.slice(innerFrom);
    for (const one of inner) one.restsOn = pair.restsOn;
    const isWrong = pair.isUsed && pair.findings.length > 0;
    if (isWrong) for (const one of inner) one.forget();
    if (isWrong || pair.restsOn === nowhere) this.#tentative.length = innerFrom;
    if (pair.restsOn !== nowhere) this.#tentative.push(pair);
  }
}
