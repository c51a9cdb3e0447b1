import type { Result } from "../errors.ts";
import { hasStatus } from "../http/request-error.ts";
import { code, joined, listOf, type Message, type Phrase, phrase, text } from "../text/message.ts";
import { type SchemaKind, schemaNames } from "./contract-change.ts";
import type { Contract, GraphContract } from "./read-contract.ts";
import { isReported } from "./schema.ts";

/** What could not be compared. */
export interface Gap {
  readonly message: Message;
  /** Whether a breaking change could be in it. What the agent to compare with does not show either does not close the gate. */
  readonly failsGate: boolean;
}

type Schemas = ReadonlyMap<SchemaKind, unknown>;

/** Returns the parts of the graphs of both agents that could not be compared. */
export function findGaps(before: Contract, after: Contract): Gap[] {
  return [...before.graphs].flatMap(([graph, shown]) => {
    const shownAfter = after.graphs.get(graph);
    if (shownAfter === undefined) return [];
    return [
      ...gapsOfPart(graph, phrase`nodes`, shown.nodes, shownAfter.nodes),
      ...schemaGaps(graph, shown.schemas, shownAfter.schemas),
    ];
  });
}

const scriptHint = text`The vendor's server describes a graph in a ${code(".js")} file only if its state is a Zod schema.`;

function gapsOfPart(
  graph: string,
  name: Phrase,
  before: Result<unknown>,
  after: Result<unknown>,
  isShown = before.error === undefined,
): Gap[] {
  const unread = after.error !== undefined ? after : before;
  if (unread.error === undefined) return [];
  const { message, hint } = unread.error.ending;
  const inJavaScript = hasStatus(unread.error, 500) ? scriptHint : undefined;
  const isInBoth = before.error !== undefined && after.error !== undefined;
  const one = after.error !== undefined ? phrase`the new version` : phrase`the agent to compare with`;
  const did = isInBoth ? phrase`neither agent showed` : phrase`${one} did not show`;
  const lead = text`The ${name} of graph ${code(graph, 100)} could not be compared: ${did} them.`;
  return [
    {
      message: joined([lead, message, hint, inJavaScript]),
      failsGate: isShown && after.error !== undefined,
    },
  ];
}

function schemaGaps(graph: string, before: GraphContract["schemas"], after: GraphContract["schemas"]): Gap[] {
  if (before.error === undefined && after.error === undefined)
    return gapsOfSchemas(graph, before.value, after.value);
  const isShown = before.error === undefined && [...before.value.values()].some(isReported);
  return gapsOfPart(graph, phrase`schemas`, before, after, isShown);
}

/** The schemas that callers and clients rely on. */
const usedSchemas = ["input", "output"] as const;

function gapsOfSchemas(graph: string, before: Schemas, after: Schemas): Gap[] {
  const kindsWhere = (isBefore: boolean, isAfter: boolean) =>
    usedSchemas.filter(
      (kind) => isReported(before.get(kind)) === isBefore && isReported(after.get(kind)) === isAfter,
    );
  return [
    ...gapsOfKinds(graph, phrase`the new version does not report`, kindsWhere(true, false), true),
    ...gapsOfKinds(graph, phrase`the agent to compare with does not report`, kindsWhere(false, true)),
    ...gapsOfKinds(graph, phrase`neither agent reports`, kindsWhere(false, false)),
  ];
}

function gapsOfKinds(graph: string, who: Phrase, kinds: readonly SchemaKind[], failsGate = false): Gap[] {
  if (kinds.length === 0) return [];
  const names = listOf(kinds.map((kind) => schemaNames[kind]));
  const message = text`Graph ${code(graph, 100)}: ${who} the schema of its ${names}, so that was not compared. In Python before 3.12, use ${code("TypedDict")} from ${code("typing_extensions")}.`;
  return [{ message, failsGate }];
}
