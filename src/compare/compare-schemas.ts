import { isDeepStrictEqual } from "node:util";
import { asObject, isObject } from "../text/json.ts";
import { code, joined, listFirst, listOf, type Phrase, phrase, text } from "../text/message.ts";
import { type Alternative, alternativesOf, compareAlternatives } from "./alternatives.ts";
import { type ContractChange, describeWaiting, type SchemaKind } from "./contract-change.ts";
import type { Schema } from "./expand-schema.ts";

interface SchemaDifference {
  /** Such as `messages[].content`; empty for the whole schema. */
  readonly path: string;
  /** Whether less is allowed than before (`narrower`) or more (`wider`). */
  readonly effect: "removed" | "narrower" | "wider" | "unclear";
  readonly predicate: Phrase;
}

const callers = {
  breaking: ["removed", "narrower"],
  advice: text`Keep accepting what callers send until all callers are updated.`,
};
const clients = {
  breaking: ["removed", "wider"],
  advice: text`Keep returning what clients expect until all clients are updated.`,
};
const waitingThreads = {
  breaking: ["removed", "narrower", "wider"],
  advice: text`Keep the former property and its values until no thread is waiting, or resume or delete each one first.`,
};
/** Who depends on a schema, and the differences that break them. */
const dependents = {
  input: callers,
  config: callers,
  context: callers,
  output: clients,
  state: waitingThreads,
};

interface Subject {
  readonly graph: string;
  readonly kind: SchemaKind;
  /** The threads that are waiting on the graph. */
  readonly threadIds: readonly string[];
}

/** Returns the differences of two expanded schemas (docs/specification.md#comparing-deployments). */
export function compareSchemas(subject: Subject, before: unknown, after: unknown): ContractChange[] {
  return rootDifferences(subject.kind, before, after).flatMap((difference) => toChange(subject, difference));
}

function toChange(
  { graph, kind, threadIds }: Subject,
  { path, effect, predicate }: SchemaDifference,
): ContractChange[] {
  const { breaking, advice } = dependents[kind];
  const isUnclear = effect === "unclear";
  if (!isUnclear && !breaking.includes(effect)) return [];
  const isNote = kind === "state" && threadIds.length === 0;
  const severity = isUnclear ? "byHand" : isNote ? "note" : "breaking";
  const waiting = kind === "state" && severity === "breaking" ? threadIds : [];
  const subjectPart = path === "" ? phrase`the schema` : phrase`property ${code(path, 200)}`;
  const message = joined([
    text`Graph ${code(graph, 100)}, ${code(kind)}: ${subjectPart} ${predicate}.`,
    describeWaiting(waiting, phrase`with this state`),
    { breaking: advice, byHand: text`Check it by hand.`, note: undefined }[severity],
  ]);
  return [{ graph, kind, severity, path, message, threadCount: waiting.length }];
}

function rootDifferences(kind: SchemaKind, before: unknown, after: unknown): SchemaDifference[] {
  const [rootBefore, rootAfter] = [rootOf(kind, before), rootOf(kind, after)];
  if (rootBefore !== undefined && rootAfter !== undefined) {
    const maybeRequired = kind === "input" ? maybeRequiredInputs(rootBefore, rootAfter) : [];
    return [...differencesOf(rootBefore, rootAfter, ""), ...maybeRequired];
  }
  const isMissing = rootBefore !== undefined;
  // Many agents take no config or context.
  if (!isMissing && rootAfter === undefined && (kind === "config" || kind === "context")) return [];
  const agent = isMissing ? phrase`the new version` : phrase`the agent to compare with`;
  const effect = isMissing && (kind === "input" || kind === "output") ? "removed" : "unclear";
  return differencesAt([""], effect, phrase`was not compared, because ${agent} does not report it`);
}

/** Returns a schema; undefined if the agent does not report it. */
function rootOf(kind: SchemaKind, value: unknown): Schema | undefined {
  const root = asObject(value) ?? {};
  if (Object.keys(root).length === 0) return undefined;
  const { required, ...others } = root;
  // Each node writes only a part of the state, so none of its properties is required.
  return kind === "state" ? others : root;
}

/** Returns new inputs that may be required: the vendor's JavaScript server never reports which are. */
function maybeRequiredInputs(before: Schema, after: Schema): SchemaDifference[] {
  if ("required" in before || "required" in after) return [];
  const propertiesBefore = propertiesOf(before);
  const added = Object.keys(propertiesOf(after)).filter((name) => !Object.hasOwn(propertiesBefore, name));
  return differencesAt(added, "unclear", phrase`is new, and neither agent reports which inputs are required`);
}

function differencesOf(before: unknown, after: unknown, path: string): SchemaDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [allBefore, allAfter] = [alternativesOf(before), alternativesOf(after)];
  // With several alternatives, it is unknown which one became which.
  const [onlyBefore, onlyAfter] = [allBefore, allAfter].map((all) => (all.length === 1 ? all[0] : undefined));
  if (onlyBefore && onlyBefore.type === onlyAfter?.type) {
    const [schemaBefore, schemaAfter] = [onlyBefore.schema, onlyAfter.schema];
    const haveBoth = (keyword: string) => isObject(schemaBefore[keyword]) && isObject(schemaAfter[keyword]);
    if (haveBoth("properties")) return objectDifferences(schemaBefore, schemaAfter, path);
    if (haveBoth("items")) return listDifferences(schemaBefore, schemaAfter, path);
  }
  const { lost, added, isUnclear } = compareAlternatives(allBefore, allAfter);
  const ifAny = (list: readonly unknown[]) => (list.length > 0 ? [path] : []);
  const allows =
    lost.length > 0
      ? phrase`now allows ${labelsOf(added)} in place of ${labelsOf(lost)}`
      : phrase`now also allows ${labelsOf(added)}`;
  return [
    ...differencesAt(ifAny(lost), "narrower", phrase`no longer allows ${labelsOf(lost)}`),
    ...differencesAt(ifAny(added), "wider", allows),
    ...(isUnclear ? keywordDifferences(before, after, [], path) : []),
  ];
}

function objectDifferences(before: Schema, after: Schema, path: string): SchemaDifference[] {
  const [propertiesBefore, propertiesAfter] = [propertiesOf(before), propertiesOf(after)];
  const [requiredBefore, requiredAfter] = [requiredOf(before), requiredOf(after)];
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const names = Object.keys(propertiesBefore);
  const remaining = names.filter((name) => Object.hasOwn(propertiesAfter, name));
  const removed = names.filter((name) => !Object.hasOwn(propertiesAfter, name));
  const newlyRequired = requiredAfter.filter((name) => !requiredBefore.includes(name));
  const noLongerRequired = requiredBefore.filter((name) => ![...requiredAfter, ...removed].includes(name));
  return [
    ...keywordDifferences(before, after, ["properties", "required"], path),
    ...differencesAt(removed.map(at), "removed", phrase`was removed`),
    ...remaining.flatMap((name) => differencesOf(propertiesBefore[name], propertiesAfter[name], at(name))),
    ...differencesAt(newlyRequired.map(at), "narrower", phrase`is now required`),
    ...differencesAt(noLongerRequired.map(at), "wider", phrase`is no longer required`),
  ];
}

function listDifferences(before: Schema, after: Schema, path: string): SchemaDifference[] {
  return [
    ...keywordDifferences(before, after, ["items"], path),
    ...differencesOf(before.items, after.items, `${path}[]`),
  ];
}

/** Returns a difference for the keywords in which two schemas differ, except for those in `compared`. */
function keywordDifferences(
  before: unknown,
  after: unknown,
  compared: readonly string[],
  path: string,
): SchemaDifference[] {
  const [schemaBefore, schemaAfter] = [asObject(before) ?? {}, asObject(after) ?? {}];
  const differing = Object.keys({ ...schemaBefore, ...schemaAfter }).filter(
    (name) => !compared.includes(name) && !isDeepStrictEqual(schemaBefore[name], schemaAfter[name]),
  );
  const names = listOf(differing.map((name) => code(name, 60)));
  return differencesAt(differing.length > 0 ? [path] : [], "unclear", phrase`differs in ${names}`);
}

function differencesAt(
  paths: readonly string[],
  effect: SchemaDifference["effect"],
  predicate: Phrase,
): SchemaDifference[] {
  return paths.map((path) => ({ path, effect, predicate }));
}

function propertiesOf({ properties }: Schema): Schema {
  return asObject(properties) ?? {};
}

function requiredOf({ required }: Schema): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function labelsOf(alternatives: readonly Alternative[]): Phrase {
  const labels = new Set(alternatives.map(({ label }) => label));
  return listFirst([...labels].map((label) => code(label, 60)));
}
