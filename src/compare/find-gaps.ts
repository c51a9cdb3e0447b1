import type { Result } from "../errors.ts";
import { code, joined, type Message, type Phrase, phrase, text } from "../text/message.ts";
import type { Contract } from "./read-contract.ts";

/** What could not be compared. */
export interface Gap {
  readonly message: Message;
  /** Whether a breaking change could be in it. What the agent to compare with does not show either does not close the gate. */
  readonly failsGate: boolean;
}

/** Returns the parts of the graphs of both agents that could not be compared. */
export function findGaps(before: Contract, after: Contract): Gap[] {
  return [...before.graphs].flatMap(([graph, shown]) => {
    const shownAfter = after.graphs.get(graph);
    if (shownAfter === undefined) return [];
    return [
      ...gapsOf(phrase`nodes of graph ${code(graph, 100)}`, shown.nodes, shownAfter.nodes),
      ...gapsOf(phrase`schemas of graph ${code(graph, 100)}`, shown.schemas, shownAfter.schemas),
    ];
  });
}

function gapsOf(part: Phrase, before: Result<unknown>, after: Result<unknown>): Gap[] {
  const error = after.error ?? before.error;
  if (error === undefined) return [];
  const agent = after.error === undefined ? phrase`the agent to compare with` : phrase`the new version`;
  const lead = text`The ${part} could not be compared: ${agent} did not show them.`;
  const { message, hint } = error.ending;
  return [{ message: joined([lead, message, hint]), failsGate: before.error === undefined }];
}
