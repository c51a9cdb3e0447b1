import { code, joined, listed, type Message, text } from "../text/message.ts";
import { type Alternative, alternativesOf, compareAlternatives, labelOf } from "./alternatives.ts";
import { type ContractChange, describeWaiting, type SchemaKind } from "./contract-change.ts";
import {
  differingKeywords,
  isKeywords,
  isSame,
  type Keywords,
  type Part,
  partOf,
  resolve,
  type Schema,
  saysNothing,
} from "./schema.ts";

/** Whose schema is compared. `threads`: those that wait on the graph. */
interface SchemaSubject {
  readonly graph: string;
  readonly kind: SchemaKind;
  readonly threads: readonly string[];
}

/** Without the other kinds, agents have no config or context that callers give. */
const alwaysThere: readonly SchemaKind[] = ["input", "output", "state"];

/** What differs between two schemas (docs/specification.md#comparing-deployments). */
export function compareSchemas(
  subject: SchemaSubject,
  before: unknown,
  after: unknown,
): readonly ContractChange[] {
  const [own, other] = [toDocument(before), toDocument(after)];
  const comparison = new SchemaComparison(subject);
  if (!saysNothing(own) && !saysNothing(other)) comparison.compare(own, other);
  else if (!saysNothing(own)) comparison.addMissing(text`the new revision reports none`);
  else if (!saysNothing(other)) comparison.addMissing(text`the compared agent reports none`);
  else if (alwaysThere.includes(subject.kind)) comparison.addMissing(text`neither agent reports one`);
  return comparison.changes;
}

function toDocument(value: unknown): Part {
  return { document: value, value };
}

type Finding = "gone" | "newly_required" | "no_longer_required" | "narrower" | "wider";

/** Who depends on a schema. */
interface Users {
  /** What breaks them. */
  readonly breaking: readonly Finding[];
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
  breaking: ["gone", "newly_required", "narrower"],
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

/** Compares two schemas property by property, and words what it finds. */
class SchemaComparison {
  readonly changes: ContractChange[] = [];
  readonly #subject: SchemaSubject;
  readonly #users: Users;
  /** Pairs that were compared: a schema may refer to itself. */
  readonly #seen = new Map<Keywords, Set<Keywords>>();

  constructor(subject: SchemaSubject) {
    this.#subject = subject;
    this.#users = kinds[subject.kind].users;
  }

  compare(before: Part, after: Part, path = ""): void {
    const [own, other] = [resolve(before), resolve(after)];
    const met = this.#seen.get(own.value) ?? new Set();
    if (met.has(other.value) || isSame(own, other)) return;
    this.#seen.set(own.value, met.add(other.value));
    const [sets, others] = [alternativesOf(own), alternativesOf(other)];
    const [one, two] = [sets[0], others[0]];
    // With several alternatives, nothing shows which one became which.
    if (sets.length === 1 && others.length === 1 && one && one.type === two?.type) {
      if (this.#compareNested(one, two, path)) return;
    }
    const { lost, added, isUnclear } = compareAlternatives(sets, others);
    if (lost.length > 0) this.#add("narrower", path, text`no longer allows ${labelled(lost)}`);
    if (added.length > 0) this.#add("wider", path, text`now also allows ${labelled(added)}`);
    if (isUnclear) this.#addDiffering(own, other, [], path);
  }

  /** False if the two have nothing nested that could be compared. */
  #compareNested({ schema }: Alternative, { schema: other }: Alternative, path: string): boolean {
    const haveBoth = (name: string) => isKeywords(schema.value[name]) && isKeywords(other.value[name]);
    if (haveBoth("properties")) this.#compareObjects(schema, other, path);
    else if (haveBoth("items")) this.#compareLists(schema, other, path);
    else return false;
    return true;
  }

  addMissing(why: Message): void {
    this.#addByHand("", text`was not compared, because ${why}`);
  }

  #compareObjects(before: Schema, after: Schema, path: string): void {
    this.#addDiffering(before, after, ["type", "properties", "required"], path);
    const [own, other] = [propertiesOf(before), propertiesOf(after)];
    const gone = new Set(Object.keys(own).filter((name) => !Object.hasOwn(other, name)));
    for (const name of Object.keys(own)) {
      const at = below(path, name);
      if (gone.has(name)) this.#add("gone", at, text`was removed`);
      else this.compare(partOf(before, own[name]), partOf(after, other[name]), at);
    }
    // Nodes write the state bit by bit, so that nothing at its root is required.
    if (path === "" && this.#subject.kind === "state") return;
    const [needed, needs] = [requiredOf(before), requiredOf(after)];
    for (const name of without(needs, needed, gone)) {
      this.#add("newly_required", below(path, name), text`is now required`);
    }
    for (const name of without(needed, needs, gone)) {
      this.#add("no_longer_required", below(path, name), text`is no longer required`);
    }
    if (path === "" && this.#subject.kind === "input") this.#addMaybeRequired(before, after);
  }

  /** The vendor's JavaScript server never reports what is required at the root of an input. */
  #addMaybeRequired(before: Schema, after: Schema): void {
    if ("required" in before.value || "required" in after.value) return;
    const own = propertiesOf(before);
    for (const [name, part] of Object.entries(propertiesOf(after))) {
      if (Object.hasOwn(own, name) || (isKeywords(part) && "default" in part)) continue;
      this.#addByHand(name, text`is new, and neither agent reports which inputs are required`);
    }
  }

  #compareLists(before: Schema, after: Schema, path: string): void {
    this.#addDiffering(before, after, ["type", "items"], path);
    this.compare(partOf(before, before.value.items), partOf(after, after.value.items), `${path}[]`);
  }

  /** `compared`: the keywords whose effect is compared. */
  #addDiffering(before: Schema, after: Schema, compared: readonly string[], path: string): void {
    const differing = differingKeywords(before, after).filter((name) => !compared.includes(name));
    if (differing.length === 0) return;
    this.#addByHand(path, text`differs in ${listed(differing.map((name) => code(name, 60)))}`);
  }

  #add(finding: Finding, path: string, what: Message): void {
    const { kind, threads } = this.#subject;
    const isBreaking = this.#users.breaking.includes(finding);
    if (kind === "state" && (isBreaking ? threads.length === 0 : finding === "wider")) {
      this.#push(path, what, "note", undefined);
    } else if (isBreaking) this.#push(path, what, "breaking", this.#users.advice);
  }

  #addByHand(path: string, what: Message): void {
    this.#push(path, what, "by_hand", this.#users.byHand);
  }

  #push(
    path: string,
    what: Message,
    severity: ContractChange["severity"],
    advice: Message | undefined,
  ): void {
    const { graph, kind } = this.#subject;
    const threads = kind === "state" && severity === "breaking" ? this.#subject.threads : [];
    const place = path === "" ? text`the schema` : text`property ${code(path, 200)}`;
    const message = joined([
      text`${kinds[kind].name} of graph ${code(graph, 100)}: ${place} ${what}.`,
      describeWaiting(threads, text`with this state`),
      advice,
    ]);
    this.changes.push({ graph, kind, severity, path, message, threads: threads.length });
  }
}

function without(names: Iterable<string>, ...others: readonly ReadonlySet<string>[]): string[] {
  return [...names].filter((name) => !others.some((other) => other.has(name)));
}

function propertiesOf({ value }: Schema): Keywords {
  return isKeywords(value.properties) ? value.properties : {};
}

function requiredOf({ value: { required } }: Schema): Set<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

const maxLabels = 5;

function labelled(alternatives: readonly Alternative[]): Message {
  const labels = [...new Set(alternatives.map(labelOf))];
  const more = labels.length > maxLabels ? text` and others` : undefined;
  return text`${listed(labels.slice(0, maxLabels).map((label) => code(label, 60)))}${more}`;
}
