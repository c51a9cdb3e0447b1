import {
  isObstacle,
  itemsOfList,
  type SchemaDifference,
  type SchemaObstacle,
} from "../../results/comparison.ts";
import { alternativesOf, describeTypes, inFirstPlace, rejectedValues } from "./alternatives.ts";
import { type Alternative, covers } from "./overlap.ts";
import { keywordsOf, SameSchema } from "./same-schema.ts";
import { type Schema, type SchemaDocument, saysNothing, sizeOf } from "./schema-document.ts";
import { keywordOnOthers, othersOf, propertiesOf, requiredOf } from "./schema-keywords.ts";

/**
 * How values pass between an agent and others. A change breaks if values are sent that are not expected:
 *
 * - `accepted`: others send what was valid before, the agent expects what is valid after.
 * - `kept`: the same for what threads keep, but none of the properties at the root is required.
 * - `returned`: the other way around. The agent sends what is valid after, others expect what was valid before.
 *
 * Such as `string` that becomes `string or null`: callers may go on to send strings, but readers do not expect a null.
 */
export type SchemaUse = "accepted" | "kept" | "returned";

/** A difference between two schemas. `path`: names of properties, from the root. */
export interface SchemaFinding {
  readonly path: readonly string[];
  readonly difference: SchemaDifference;
}

/** Keywords that are compared by what they allow, and `default`, which is compared apart from the types. */
const compared = new Set([
  ...["type", "enum", "const", "anyOf", "oneOf", "properties", "required", "items"],
  "default",
]);

/** More than anybody reads. */
const maxFindings = 100;
/** More steps than any sensible schema needs. */
const maxSteps = 200_000;
const maxDepth = 200;

export class TooLarge extends Error {}

/** Compares two schemas for one use. */
export class SchemaComparison {
  readonly #use: SchemaUse;
  readonly #sent: SchemaDocument;
  readonly #expected: SchemaDocument;
  readonly #same: SameSchema;
  #stepsLeft = maxSteps;
  /** What pairs of schemas differ in; of a pair in progress, its depth. */
  readonly #pairs = new Map<Schema, Map<Schema, readonly SchemaFinding[] | number>>();
  /** The depth of the outermost pair in progress that was met again below the current one. */
  #restsOn = maxDepth;
  /** What the root's own properties differ in so far, for a comparison that ends early. */
  readonly found: SchemaFinding[] = [];

  constructor(use: SchemaUse, before: SchemaDocument, after: SchemaDocument) {
    this.#use = use;
    [this.#sent, this.#expected] = use === "returned" ? [after, before] : [before, after];
    this.#same = new SameSchema(this.#sent, this.#expected, () => this.#spend());
  }

  /** @throws TooLarge if it takes too many steps: then `found` is what was found until then */
  compare(): readonly SchemaFinding[] {
    return this.#compare(this.#sent.root, this.#expected.root, 0);
  }

  /** What is sent and expected, as before and after: the reverse of what the constructor does. */
  #inTime<T>(sent: T, expected: T): { readonly before: T; readonly after: T } {
    return this.#use === "returned" ? { before: expected, after: sent } : { before: sent, after: expected };
  }

  #spend(count = 1): void {
    this.#stepsLeft -= count;
    if (this.#stepsLeft < 0) throw new TooLarge();
  }

  #compare(sentPart: unknown, expectedPart: unknown, depth: number): readonly SchemaFinding[] {
    this.#spend();
    if (depth > maxDepth) throw new TooLarge();
    if (this.#same.isSameReference(sentPart, expectedPart)) return [];
    const sent = this.#sent.resolve(sentPart);
    if (sent.kind === "reference") return [here(sent)];
    const expected = this.#expected.resolve(expectedPart);
    if (expected.kind === "reference") return [here(expected)];
    return this.#comparePair(sent.schema, expected.schema, depth);
  }

  /** Compares a pair once. A schema may refer to itself, which adds nothing. */
  #comparePair(sent: Schema, expected: Schema, depth: number): readonly SchemaFinding[] {
    // At the root, `kept` ignores what is required, so the same schemas may differ in more below it.
    if (this.#use === "kept" && depth === 0) return this.#compareSchemas(sent, expected, depth);
    const known = this.#pairs.get(sent) ?? new Map<Schema, readonly SchemaFinding[] | number>();
    this.#pairs.set(sent, known);
    const earlier = known.get(expected);
    if (typeof earlier === "number") {
      this.#restsOn = Math.min(this.#restsOn, earlier);
      return [];
    }
    if (earlier !== undefined) return earlier;
    const outer = this.#restsOn;
    this.#restsOn = depth;
    known.set(expected, depth);
    const findings = this.#compareSchemas(sent, expected, depth);
    // If an outer pair in progress was left out, the findings are complete only together with those of that pair.
    if (this.#restsOn < depth) known.delete(expected);
    else known.set(expected, findings);
    this.#restsOn = Math.min(this.#restsOn, outer);
    return findings;
  }

  #compareSchemas(sent: Schema, expected: Schema, depth: number): readonly SchemaFinding[] {
    this.#spend(sizeOf(sent) + sizeOf(expected));
    const sentParts = alternativesOf(sent, this.#sent, (count) => this.#spend(count));
    if (sentParts.kind !== "alternatives") return this.#unlessSame(sent, expected, sentParts);
    const expectedParts = alternativesOf(expected, this.#expected, (count) => this.#spend(count));
    if (expectedParts.kind !== "alternatives") return this.#unlessSame(sent, expected, expectedParts);
    if (expectedParts.needsTag && !sentParts.needsTag) {
      return this.#unlessSame(sent, expected, { kind: "keyword", keyword: "oneOf" });
    }
    return [
      ...this.#compareKeywords(sent, expected, ["default"]),
      ...this.#compareAlternatives(sentParts.alternatives, expectedParts.alternatives, depth),
    ];
  }

  /** Of schemas that can't be taken apart, only whether they are the same is known. */
  #unlessSame(sent: Schema, expected: Schema, obstacle: SchemaObstacle): readonly SchemaFinding[] {
    return this.#compareKeywords(sent, expected, keywordsOf(sent, expected)).length === 0
      ? []
      : [here(obstacle)];
  }

  /** Keywords whose effect on the valid values is not compared. */
  #compareKeywords(sent: Schema, expected: Schema, keywords: readonly string[]): SchemaFinding[] {
    return keywords
      .filter((keyword) => !this.#same.isSameKeyword(keyword, sent[keyword], expected[keyword]))
      .map((keyword) => here({ kind: "keyword", keyword }));
  }

  /** Each alternative that is sent must be covered by an expected one. */
  #compareAlternatives(
    sent: readonly Alternative[],
    expected: readonly Alternative[],
    depth: number,
  ): readonly SchemaFinding[] {
    this.#spend(sent.length * expected.length);
    const change = this.#use === "returned" ? "wider" : "narrower";
    const types = this.#inTime(describeTypes(sent), describeTypes(expected));
    return sent.flatMap((alternative, index) => {
      const candidates = inFirstPlace(expected, index).filter(({ type }) => covers(type, alternative.type));
      const rejected = rejectedValues(alternative, candidates);
      if (candidates.length === 0 || rejected === "some") return [here({ kind: "type", ...types, change })];
      if (rejected.length > 0) return [here({ kind: "values", values: rejected, change })];
      return this.#closest(alternative, candidates, depth);
    });
  }

  /** What an alternative differs in from the one that it fits best. One that lists values takes no others. */
  #closest(sent: Alternative, candidates: readonly Alternative[], depth: number): readonly SchemaFinding[] {
    const others: (readonly SchemaFinding[])[] = [];
    const left = new Set(sent.values);
    for (const { values, schema } of candidates) {
      if (values?.every((value) => !left.has(value))) continue;
      const findings = this.#compareOne(sent, schema, depth);
      if (findings.length > 0) others.push(findings);
      else for (const value of values ?? left) left.delete(value);
      if (findings.length === 0 && left.size === 0) return [];
    }
    return others.toSorted((one, other) => weight(one) - weight(other))[0] ?? [];
  }

  #compareOne({ type, schema: sent }: Alternative, expected: Schema, depth: number): SchemaFinding[] {
    const others = keywordsOf(sent, expected).filter((keyword) => !compared.has(keyword));
    const isObject = type === undefined || type === "object";
    const isArray = type === undefined || type === "array";
    return [
      ...this.#compareKeywords(sent, expected, others),
      ...(isObject ? this.#compareProperties(sent, expected, depth) : []),
      ...(isArray ? this.#compareItems(sent, expected, depth) : []),
    ];
  }

  #compareProperties(sent: Schema, expected: Schema, depth: number): readonly SchemaFinding[] {
    const [sentParts, expectedParts] = [propertiesOf(sent), propertiesOf(expected)];
    this.#spend(Object.keys(sentParts).length + Object.keys(expectedParts).length);
    const { before, after } = this.#inTime(sentParts, expectedParts);
    const findings: SchemaFinding[] = [];
    const add = (found: readonly SchemaFinding[]) => {
      findings.push(...found);
      if (depth === 0) this.found.push(...found);
      if (findings.length > maxFindings) throw new TooLarge();
    };
    // What describes no properties expects any.
    const expectsAny = ["type", "properties", "additionalProperties"].every((key) => !(key in expected));
    const isGone = (name: string) =>
      Object.hasOwn(before, name) && !Object.hasOwn(after, name) && !expectsAny;
    add(this.#compareRequired(sent, expected, depth).filter(({ path: [name = ""] }) => !isGone(name)));
    if (expectsAny) return findings;
    for (const name of Object.keys(before)) {
      const found = isGone(name)
        ? [here({ kind: "gone" })]
        : this.#compare(sentParts[name], expectedParts[name], depth + 1);
      add(below(name, found));
    }
    const earlier = this.#inTime(sent, expected).before;
    for (const [name, part] of Object.entries(after)) {
      if (!Object.hasOwn(before, name)) add(below(name, this.#compareNew(earlier, part, depth)));
    }
    return findings;
  }

  /** A new property, with what the schema of the object before says of properties that it does not name. */
  #compareNew(earlier: Schema, part: unknown, depth: number): readonly SchemaFinding[] {
    const keyword = keywordOnOthers(earlier);
    if (keyword !== undefined) return [here({ kind: "keyword", keyword })];
    const others = othersOf(earlier, depth);
    if (others === undefined) return [];
    if (this.#use !== "returned") return this.#compare(others, part, depth + 1);
    // Most readers of a closed object are not so strict as its schema.
    if (others === false) return [here({ kind: "closed" })];
    return saysNothing(others) ? [] : this.#compare(part, others, depth + 1);
  }

  /** A property that is expected may be missing in what is sent. */
  #compareRequired(sent: Schema, expected: Schema, depth: number): SchemaFinding[] {
    if (this.#use === "kept" && depth === 0) return [];
    const kind = this.#use === "returned" ? "no_longer_required" : "newly_required";
    const alwaysSent = requiredOf(sent);
    const missing = [...requiredOf(expected)].filter((name) => !alwaysSent.has(name));
    return missing.map((name) => ({ path: [name], difference: { kind } }));
  }

  #compareItems(sent: Schema, expected: Schema, depth: number): readonly SchemaFinding[] {
    if (Array.isArray(sent.items) || Array.isArray(expected.items)) {
      return this.#compareKeywords(sent, expected, ["items"]);
    }
    const hasItems = sent.items !== undefined || expected.items !== undefined;
    if (!hasItems) return [];
    return below(itemsOfList, this.#compare(sent.items ?? {}, expected.items ?? {}, depth + 1));
  }
}

function here(difference: SchemaDifference): SchemaFinding {
  return { path: [], difference };
}

function below(name: string, findings: readonly SchemaFinding[]): SchemaFinding[] {
  return findings.map(({ path, difference }) => ({ path: [name, ...path], difference }));
}

/** Differences that break count more than those that can't be compared. */
function weight(findings: readonly SchemaFinding[]): number {
  return findings.reduce((sum, { difference }) => sum + (isObstacle(difference) ? 1 : maxFindings), 0);
}
