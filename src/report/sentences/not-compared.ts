import { ResponseError } from "../../http/response-error.ts";
import {
  itemsOfList,
  type NotCompared,
  type SchemaKind,
  type SchemaObstacle,
} from "../../results/comparison.ts";
import { code, type Message, quote, text, withoutFullStop, word } from "../../text/message.ts";

/** A property of a schema, such as "property `messages[].content`". */
export function describeProperty(path: readonly string[]): Message {
  return text`property ${code(path.join(".").replaceAll(`.${itemsOfList}`, itemsOfList), 200)}`;
}

/** What was not compared of a graph and why, as a part of a sentence. */
export function describeNotCompared(reason: NotCompared): Message {
  switch (reason.kind) {
    case "no_schema": {
      const sides = {
        before: text`the compared agent has none`,
        after: text`the new revision has none`,
        neither: text`neither agent has one`,
      } as const;
      return text`the ${word(reason.schema)} schema was not compared, because ${sides[reason.missing]}`;
    }
    case "schema": {
      const schema = word(reason.schema);
      const what =
        reason.path.length === 0
          ? text`the ${schema} schema`
          : text`${describeProperty(reason.path)} of the ${schema}`;
      return text`${what} was not compared, because ${describeObstacle(reason.obstacle)}`;
    }
    case "unread": {
      const what = reason.what === "nodes" ? text`nodes` : text`schemas`;
      return text`the ${what} were not compared. ${withoutFullStop(reason.error.ending.message)}`;
    }
    case "no_nodes":
      return text`the nodes were not compared, because the compared agent reports none`;
    case "subgraph":
      return text`what is in the subgraph ${code(reason.node, 100)} was not compared, because the new revision does not report it`;
  }
}

/** Whether a server can't make schemas of the graph, as far as its response shows. */
function hasNoSchemas(reason: NotCompared): boolean {
  const isOfSchemas = reason.kind === "unread" && reason.what === "schemas";
  return isOfSchemas && reason.error instanceof ResponseError && reason.error.status === 500;
}

/** What to do about it, as a sentence; undefined if there is nothing. */
export function adviceForNotCompared(reason: NotCompared): Message | undefined {
  if (reason.kind === "schema") return checkByHand[reason.schema];
  return hasNoSchemas(reason) ? noSchemasAdvice : undefined;
}

const forCallers = text`Check by hand that what callers send is still accepted.`;
const checkByHand: Readonly<Record<SchemaKind, Message>> = {
  input: forCallers,
  output: text`Check by hand that clients can use what is returned.`,
  config: forCallers,
  context: forCallers,
  state: text`Check by hand that waiting threads can continue with their state.`,
};

const noSchemasAdvice = text`The vendor's JavaScript server for local use returns 500 if the graph's state is not a Zod schema. The agent itself is fine.`;

/** Which part of a graph was not compared, such as `the input schema`. */
export function describeGap(reason: NotCompared): Message {
  switch (reason.kind) {
    case "no_schema":
    case "schema":
      return text`the ${word(reason.schema)} schema`;
    case "unread":
      return reason.what === "nodes" ? text`the nodes` : text`the schemas`;
    case "no_nodes":
      return text`the nodes`;
    case "subgraph":
      return text`the subgraph ${code(reason.node, 100)}`;
  }
}

function describeObstacle(obstacle: SchemaObstacle): Message {
  switch (obstacle.kind) {
    case "keyword":
      return text`its keyword ${code(obstacle.keyword, 60)} differs`;
    case "closed":
      return text`it is new, and the schema allowed no other properties, so strict clients may refuse it`;
    case "reference":
      return text`its reference ${quote(obstacle.reference, 100)} can't be followed`;
    case "required_hidden":
      return text`it is new, and neither agent says which inputs are required`;
    case "too_large":
      return text`it is too large or differs in too much`;
  }
}
