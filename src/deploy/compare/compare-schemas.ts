import { isDeepStrictEqual } from "node:util";
import type { SchemaKind } from "../../results/comparison.ts";
import { asObject } from "../../text/json.ts";
import { SchemaComparison, type SchemaFinding, type SchemaUse, TooLarge } from "./schema-comparison.ts";
import { SchemaDocument } from "./schema-document.ts";

const uses: Readonly<Record<SchemaKind, SchemaUse>> = {
  input: "accepted",
  config: "accepted",
  context: "accepted",
  output: "returned",
  state: "kept",
};

/** What of a schema's change breaks those who use it, what can't be compared, and which types of the state are wider. */
export function compareSchemas(kind: SchemaKind, before: unknown, after: unknown): readonly SchemaFinding[] {
  const findings = compareForUse(uses[kind], before, after);
  if (kind === "input") return [...findings, ...hiddenRequirements(before, after)];
  if (kind !== "state") return findings;
  // A wider type is another one too, though what threads keep is still valid.
  const isKnown = (path: readonly string[]) => findings.some((one) => isDeepStrictEqual(one.path, path));
  const isWider = ({ difference }: SchemaFinding) =>
    "change" in difference || difference.kind === "too_large";
  const wider = compareForUse("returned", before, after).filter((one) => isWider(one) && !isKnown(one.path));
  return [...findings, ...wider];
}

function compareForUse(use: SchemaUse, before: unknown, after: unknown): SchemaFinding[] {
  const comparison = new SchemaComparison(use, new SchemaDocument(before), new SchemaDocument(after));
  try {
    return distinct(comparison.compare());
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return [...distinct(comparison.found), { path: [], difference: { kind: "too_large" } }];
  }
}

/** The same may be found for each type that a property can have. */
function distinct(findings: readonly SchemaFinding[]): SchemaFinding[] {
  const byText = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...byText.values()];
}

/**
 * The new properties of an input that may be required: the vendor's JavaScript server never says which ones at the root are.
 * A default shows that a property is optional.
 */
function hiddenRequirements(before: unknown, after: unknown): SchemaFinding[] {
  const [rootBefore, rootAfter] = [rootOf(before), rootOf(after)];
  if ("required" in rootBefore || "required" in rootAfter) return [];
  const known = asObject(rootBefore.properties) ?? {};
  const added = Object.entries(asObject(rootAfter.properties) ?? {}).filter(
    ([name, part]) => !Object.hasOwn(known, name) && asObject(part)?.default === undefined,
  );
  return added.map(([name]) => ({ path: [name], difference: { kind: "required_hidden" } }));
}

function rootOf(root: unknown): Readonly<Record<string, unknown>> {
  const resolved = new SchemaDocument(root).resolve(root);
  return resolved.kind === "schema" ? resolved.schema : {};
}
