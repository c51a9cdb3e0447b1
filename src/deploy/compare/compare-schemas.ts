import { type Alternative, alternativesOf, covers, describeTypes, rejectedValues } from "./alternatives.ts";
import { ComparedPairs } from "./compared-pairs.ts";
import { keywordsOf, SameSchema } from "./same-schema.ts";
import { type Schema, SchemaDocument } from "./schema-document.ts";
import { distinct, here, maxFindings, type SchemaFinding, weight } from "./schema-finding.ts";

/**
 * Which values must stay valid: those that others send (`accepted`), those that others read (`returned`: no new ones), or
 * those that were kept (`kept`: like `accepted`, but of the properties at the root none is required).
 */
export type SchemaUse = "accepted" | "returned" | "kept";

/** More steps than any sensible schema needs. */
const maxSteps = 200_000;
const maxDepth = 200;

class TooLarge extends Error {}

/** What of a schema's change breaks those who use it that way, and what can't be compared. Nothing about what is new and optional. */
export function compareSchemas(before: unknown, after: unknown, use: SchemaUse): SchemaFinding[] {
  const comparison = new SchemaComparison(new SchemaDocument(before), new SchemaDocument(after), use);
  try {
    return distinct(comparison.compare());
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return [...distinct(comparison.found), { path: [], difference: { kind: "too_large" } }];
  }
}

/**
 * The new properties of an input that may be required: the vendor's JavaScript server never says which ones at the root are.
 * A default shows that a property is optional.
 */
export function hiddenRequirements(before: unknown, after: unknown): SchemaFinding[] {
  const [one, other] = [rootOf(before), rootOf(after)];
  if ("required" in one || "required" in other) return [];
  const added = Object.entries(mapOf(other.properties)).filter(
    ([name, part]) => !Object.hasOwn(mapOf(one.properties), name) && !("default" in mapOf(part)),
  );
  return added.map(([name]) => ({ path: [name], difference: { kind: "required_hidden" } }));
}

function rootOf(root: unknown): Schema {
  const resolved = new SchemaDocument(root).resolve(root);
  return resolved.kind === "schema" ? resolved.schema : {};
}

/** Keywords that are compared by what they allow, and `default`, which is compared apart from the types. */
const compared = new Set([
  ...["type", "enum", "const", "anyOf", "oneOf", "properties", "required", "items"],
  "default",
]);

class SchemaComparison {
  readonly #before: SchemaDocument;
  readonly #after: SchemaDocument;
  readonly #use: SchemaUse;
  readonly #same: SameSchema;
  #stepsLeft = maxSteps;
  readonly #pairs = new ComparedPairs();
  /** What the root's own properties differ in so far, for a comparison that ends early. */
  readonly found: SchemaFinding[] = [];

  constructor(before: SchemaDocument, after: SchemaDocument, use: SchemaUse) {
    this.#before = before;
    this.#after = after;
    this.#use = use;
    this.#same = new SameSchema(before, after, () => this.#spend());
  }

  compare(): readonly SchemaFinding[] {
    return this.#compare(this.#before.root, this.#after.root, 0);
  }

  #spend(count = 1): void {
    this.#stepsLeft -= count;
    if (this.#stepsLeft < 0) throw new TooLarge();
  }

  #compare(before: unknown, after: unknown, depth: number): readonly SchemaFinding[] {
    this.#spend();
    if (depth > maxDepth) throw new TooLarge();
    const one = this.#before.resolve(before);
    const other = this.#after.resolve(after);
    if (one.kind === "reference") return [here({ kind: "reference", reference: one.reference })];
    if (other.kind === "reference") return [here({ kind: "reference", reference: other.reference })];
    const compare = () => {
      const findings = this.#compareSchemas(one.schema, other.schema, depth);
      if (findings.length > maxFindings) throw new TooLarge();
      return findings;
    };
    // At the root, `kept` ignores what is required, so the same schemas may differ in more below it.
    const isApart = this.#use === "kept" && depth === 0;
    return isApart ? compare() : this.#pairs.findings(one.schema, other.schema, compare);
  }

  #compareSchemas(before: Schema, after: Schema, depth: number): readonly SchemaFinding[] {
    this.#spend(sizeOf(before) + sizeOf(after));
    const one = alternativesOf(before, this.#before);
    const other = alternativesOf(after, this.#after);
    const failed = [one, other].find(({ kind }) => kind !== "alternatives");
    if (failed?.kind === "reference") return [here({ kind: "reference", reference: failed.reference })];
    if (one.kind !== "alternatives" || other.kind !== "alternatives") {
      const isSame = keywordsOf(before, after).every((key) =>
        this.#same.isSameKeyword(key, before[key], after[key]),
      );
      const keyword = failed?.kind === "blocked" ? failed.keyword : "anyOf";
      return isSame ? [] : [here({ kind: "keyword", keyword })];
    }
    const hasSameDefault = this.#same.isSameKeyword("default", before.default, after.default);
    return [
      ...(hasSameDefault ? [] : [here({ kind: "keyword", keyword: "default" })]),
      ...this.#compareAlternatives(one.alternatives, other.alternatives, depth),
    ];
  }

  /** Each alternative of one side must be covered by one of the other side. */
  #compareAlternatives(
    before: readonly Alternative[],
    after: readonly Alternative[],
    depth: number,
  ): readonly SchemaFinding[] {
    const isReturned = this.#use === "returned";
    const [narrow, wide] = isReturned ? [after, before] : [before, after];
    const change = isReturned ? "wider" : "narrower";
    this.#spend(narrow.length * wide.length);
    const types = { before: describeTypes(before), after: describeTypes(after) };
    const findings: SchemaFinding[] = [];
    narrow.forEach((alternative, index) => {
      const candidates = inFirstPlace(wide, index).filter(({ type }) => covers(type, alternative.type));
      const rejected = rejectedValues(alternative, candidates);
      if (candidates.length === 0 || rejected === "some") {
        findings.push(here({ kind: "type", ...types, change }));
      } else if (rejected.length > 0) {
        findings.push(here({ kind: "values", values: rejected, change }));
      } else {
        findings.push(...this.#closest(alternative, candidates, depth));
      }
    });
    return findings;
  }

  /** What an alternative differs in from the one that it fits best. One that lists values takes no others. */
  #closest(
    alternative: Alternative,
    candidates: readonly Alternative[],
    depth: number,
  ): readonly SchemaFinding[] {
    const others: (readonly SchemaFinding[])[] = [];
    const left = new Set(alternative.values);
    for (const candidate of candidates) {
      if (candidate.values?.every((value) => !left.has(value))) continue;
      const [before, after] = this.#use === "returned" ? [candidate, alternative] : [alternative, candidate];
      const findings = this.#compareOne(before.schema, after.schema, { type: alternative.type, depth });
      if (findings.length > 0) others.push(findings);
      else for (const value of candidate.values ?? left) left.delete(value);
      if (findings.length === 0 && left.size === 0) return [];
    }
    return others.toSorted((one, other) => weight(one) - weight(other))[0] ?? [];
  }

  /** `type`: the only one that values have, if that is known. */
  #compareOne(
    before: Schema,
    after: Schema,
    { type, depth }: { type: string | undefined; depth: number },
  ): readonly SchemaFinding[] {
    const unknown = keywordsOf(before, after)
      .filter((keyword) => !compared.has(keyword))
      .filter((keyword) => !this.#same.isSameKeyword(keyword, before[keyword], after[keyword]))
      .map((keyword) => here({ kind: "keyword", keyword }));
    const isObject = type === undefined || type === "object";
    const isArray = type === undefined || type === "array";
    return [
      ...unknown,
      ...(isObject ? this.#compareProperties(before, after, depth) : []),
      ...(isArray ? this.#compareItems(before, after, depth) : []),
    ];
  }

  #compareProperties(before: Schema, after: Schema, depth: number): readonly SchemaFinding[] {
    const [one, other] = [mapOf(before.properties), mapOf(after.properties)];
    this.#spend(Object.keys(one).length + Object.keys(other).length);
    const findings = this.#requiredChanges(before, after, depth);
    if (depth === 0) this.found.push(...findings);
    // What allows any type allows the properties that it no longer describes.
    if (this.#use !== "returned" && after.type === undefined && after.properties === undefined) {
      return findings;
    }
    for (const [name, part] of Object.entries(one)) {
      const below = Object.hasOwn(other, name)
        ? this.#compare(part, other[name], depth + 1)
        : [here({ kind: "gone" })];
      const found = below.map(({ path, difference }) => ({ path: [name, ...path], difference }));
      findings.push(...found);
      if (depth === 0) this.found.push(...found);
      if (findings.length > maxFindings) throw new TooLarge();
    }
    return findings;
  }

  #requiredChanges(before: Schema, after: Schema, depth: number): SchemaFinding[] {
    if (this.#use === "kept" && depth === 0) return [];
    const [one, other] = [requiredOf(before), requiredOf(after)];
    const isGone = (name: string) =>
      Object.hasOwn(mapOf(before.properties), name) && !Object.hasOwn(mapOf(after.properties), name);
    if (this.#use === "returned") {
      const lost = [...one].filter((name) => !other.has(name) && !isGone(name));
      return lost.map((name) => ({ path: [name], difference: { kind: "no_longer_required" } }));
    }
    const added = [...other].filter((name) => !one.has(name));
    return added.map((name) => ({ path: [name], difference: { kind: "newly_required" } }));
  }

  #compareItems(before: Schema, after: Schema, depth: number): readonly SchemaFinding[] {
    const [one, other] = [before.items, after.items];
    if (Array.isArray(one) || Array.isArray(other)) {
      return this.#same.isSameKeyword("items", one, other)
        ? []
        : [here({ kind: "keyword", keyword: "items" })];
    }
    return one === other ? [] : this.#compare(one ?? {}, other ?? {}, depth + 1);
  }
}

function sizeOf(schema: Schema): number {
  return Object.values(schema).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  );
}

/** The alternatives, the one at this place first: usually it is the same one. */
function inFirstPlace(alternatives: readonly Alternative[], index: number): readonly Alternative[] {
  const same = alternatives[index];
  return same === undefined ? alternatives : [same, ...alternatives.filter((one) => one !== same)];
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function requiredOf({ required }: Schema): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}
