import { isDeepStrictEqual } from "node:util";
import { isObject } from "../text/json.ts";
import { code, joined, listOf, type Message, text } from "../text/message.ts";
import { alternativesOf, compareAlternatives, labelOf, typeOf } from "./alternatives.ts";
import { type ContractChange, describeWaiting, type SchemaKind } from "./contract-change.ts";
import type { Schema } from "./schema.ts";

type Effect =
  | "gone"
  | "newly_required"
  | "no_longer_required"
  | "narrower"
  | "wider"
  | "unclear"
  | "not_compared";

interface SchemaDifference {
  /** Such as `messages[].content`; empty for the whole schema. */
  readonly path: string;
  readonly effect: Effect;
  /** The predicate of a sentence. */
  readonly what: Message;
}

/** Who depends on a kind of schema. */
interface Users {
  /** What breaks them. */
  readonly breaking: readonly Effect[];
  readonly advice: Message;
  readonly byHand: Message;
}

const callers: Users = {
  breaking: ["gone", "newly_required", "narrower"],
  advice: text`Keep accepting what callers send until all callers are updated.`,
  byHand: text`Check by hand that what callers send is still accepted.`,
};
const clients: Users = {
  breaking: ["gone", "no_longer_required", "wider"],
  advice: text`Keep returning what clients expect until all clients are updated.`,
  byHand: text`Check by hand that clients can use what is returned.`,
};
const waitingThreads: Users = {
  breaking: ["gone", "newly_required", "narrower", "wider"],
  advice: text`Keep the former property until these threads have finished, or resume or delete them first.`,
  byHand: text`Check by hand that waiting threads can continue with their state.`,
};

const kinds: Readonly<Record<SchemaKind, { readonly name: Message; readonly users: Users }>> = {
  input: { name: text`Input`, users: callers },
  output: { name: text`Output`, users: clients },
  config: { name: text`Config`, users: callers },
  context: { name: text`Context`, users: callers },
  state: { name: text`State`, users: waitingThreads },
};

/** Whose schema is compared. `threads`: those that wait on the graph. */
interface Subject {
  readonly graph: string;
  readonly kind: SchemaKind;
  readonly threads: readonly string[];
}

/** What differs between two expanded schemas (docs/specification.md#comparing-deployments). */
export function compareSchemas(subject: Subject, before: unknown, after: unknown): ContractChange[] {
  return rootDifferences(subject.kind, before, after).flatMap((difference) => toChange(subject, difference));
}

const unjudged = { unclear: "by_hand", not_compared: "not_compared" } as const;

function toChange(
  { graph, kind, threads }: Subject,
  { path, effect, what }: SchemaDifference,
): ContractChange[] {
  const { name, users } = kinds[kind];
  const isUnjudged = effect === "unclear" || effect === "not_compared";
  if (!isUnjudged && !users.breaking.includes(effect)) return [];
  const isNote = kind === "state" && threads.length === 0;
  const severity = isUnjudged ? unjudged[effect] : isNote ? "note" : "breaking";
  const waiting = kind === "state" && severity === "breaking" ? threads : [];
  const place = path === "" ? text`the schema` : text`property ${code(path, 200)}`;
  const advice = {
    breaking: users.advice,
    not_compared: users.byHand,
    by_hand: users.byHand,
    note: undefined,
  }[severity];
  const message = joined([
    text`${name} of graph ${code(graph, 100)}: ${place} ${what}.`,
    describeWaiting(waiting, text`with this state`),
    advice,
  ]);
  return [{ graph, kind, severity, path, message, threads: waiting.length }];
}

function rootDifferences(kind: SchemaKind, before: unknown, after: unknown): SchemaDifference[] {
  const [own, other] = [rootOf(kind, before), rootOf(kind, after)];
  if (own !== undefined && other !== undefined) {
    const maybeRequired = kind === "input" ? maybeRequiredInputs(own, other) : [];
    return [...differencesOf(own, other, ""), ...maybeRequired];
  }
  if (own !== undefined) return [notCompared(text`the new version reports none`)];
  if (other !== undefined) return [notCompared(text`the compared agent reports none`)];
  // Many agents take no config or context.
  const isOptional = kind === "config" || kind === "context";
  return isOptional ? [] : [notCompared(text`neither agent reports one`)];
}

function rootOf(kind: SchemaKind, value: unknown): Schema | undefined {
  if (!isObject(value) || Object.keys(value).length === 0) return undefined;
  const { required, ...others } = value;
  // Nodes write the state bit by bit, so that nothing at its root is required.
  return kind === "state" ? others : value;
}

const usualCause = text`before Python 3.12, import ${code("TypedDict")} from ${code("typing_extensions")}`;

function notCompared(why: Message): SchemaDifference {
  return { path: "", effect: "not_compared", what: text`was not compared, because ${why} (${usualCause})` };
}

/** The vendor's JavaScript server never reports what is required at the root of an input. */
function maybeRequiredInputs(before: Schema, after: Schema): SchemaDifference[] {
  if ("required" in before || "required" in after) return [];
  const own = propertiesOf(before);
  const added = Object.keys(propertiesOf(after)).filter((name) => !Object.hasOwn(own, name));
  const what = text`is new, and neither agent reports which inputs are required`;
  return added.map((path) => ({ path, effect: "unclear", what }));
}

function differencesOf(before: unknown, after: unknown, path: string): SchemaDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [sets, others] = [alternativesOf(before), alternativesOf(after)];
  const [one, other] = [sets[0], others[0]];
  // With several alternatives, nothing shows which one became which.
  if (sets.length === 1 && others.length === 1 && one && other && typeOf(one) === typeOf(other)) {
    if (isObject(one.properties) && isObject(other.properties)) return objectDifferences(one, other, path);
    if (isObject(one.items) && isObject(other.items)) return listDifferences(one, other, path);
  }
  const { lost, added, isUnclear } = compareAlternatives(sets, others);
  const differences: SchemaDifference[] = [];
  if (lost.length > 0) {
    differences.push({ path, effect: "narrower", what: text`no longer allows ${labelled(lost)}` });
  }
  if (added.length > 0) {
    differences.push({ path, effect: "wider", what: text`now also allows ${labelled(added)}` });
  }
  return isUnclear ? [...differences, ...keywordDifferences(before, after, [], path)] : differences;
}

function objectDifferences(before: Schema, after: Schema, path: string): SchemaDifference[] {
  const [own, other] = [propertiesOf(before), propertiesOf(after)];
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const remaining = Object.keys(own).filter((name) => Object.hasOwn(other, name));
  const gone = Object.keys(own).filter((name) => !remaining.includes(name));
  const [needed, needs] = [requiredOf(before), requiredOf(after)];
  const newlyRequired = needs.filter((name) => !needed.includes(name));
  const noLongerRequired = needed.filter((name) => !needs.includes(name) && !gone.includes(name));
  const each = (names: readonly string[], effect: Effect, what: Message) =>
    names.map((name): SchemaDifference => ({ path: at(name), effect, what }));
  return [
    ...keywordDifferences(before, after, ["type", "properties", "required"], path),
    ...each(gone, "gone", text`was removed`),
    ...remaining.flatMap((name) => differencesOf(own[name], other[name], at(name))),
    ...each(newlyRequired, "newly_required", text`is now required`),
    ...each(noLongerRequired, "no_longer_required", text`is no longer required`),
  ];
}

function listDifferences(before: Schema, after: Schema, path: string): SchemaDifference[] {
  return [
    ...keywordDifferences(before, after, ["type", "items"], path),
    ...differencesOf(before.items, after.items, `${path}[]`),
  ];
}

/** The keywords in which two schemas differ. `compared`: those whose effect is compared. */
function keywordDifferences(
  before: unknown,
  after: unknown,
  compared: readonly string[],
  path: string,
): SchemaDifference[] {
  const [own, other] = [before, after].map((value) => (isObject(value) ? value : {}));
  const differing = Object.keys({ ...own, ...other }).filter(
    (name) => !compared.includes(name) && !isDeepStrictEqual(own?.[name], other?.[name]),
  );
  if (differing.length === 0) return [];
  const names = listOf(differing.map((name) => code(name, 60)));
  return [{ path, effect: "unclear", what: text`differs in ${names}` }];
}

function propertiesOf({ properties }: Schema): Schema {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: Schema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

const maxLabels = 5;

function labelled(alternatives: readonly Schema[]): Message {
  const labels = [...new Set(alternatives.map(labelOf))];
  const more = labels.length > maxLabels ? text` and others` : undefined;
  return text`${listOf(labels.slice(0, maxLabels).map((label) => code(label, 60)))}${more}`;
}
