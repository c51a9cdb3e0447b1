import { expect, test } from "@jest/globals";
import { findGaps } from "../../../src/compare/find-gaps.ts";
import type { Contract, GraphContract } from "../../../src/compare/read-contract.ts";
import { rawText } from "../../../src/text/message.ts";
import { agentWith, contract, failed, graph } from "./support/contracts.ts";

const all = agentWith("write");
const read = graph(["write"]);
const withoutNodes = contract({ agent: { ...read, nodes: failed } });
const withoutSchemas = contract({ agent: { ...read, schemas: failed } });
const unread = (part: keyof GraphContract, agent: string) =>
  `The ${part} of graph agent could not be compared: ${agent} did not show them. Failed. Try again.`;
const [compared, newVersion] = ["the agent to compare with", "the new version"];
const closes = (message: string) => `closes the gate: ${message}`;

test.each<readonly [string, Contract, Contract, readonly string[]]>([
  ["none if everything is shown", all, all, []],
  ["none of a graph that is gone, which is a change", withoutNodes, contract({}), []],
  ["none of a graph that is new", contract({}), withoutNodes, []],
  ["nodes that the new version hides", all, withoutNodes, [closes(unread("nodes", newVersion))]],
  ["nodes that could not be read before", withoutNodes, all, [unread("nodes", compared)]],
  ["nodes that neither shows", withoutNodes, withoutNodes, [unread("nodes", newVersion)]],
  ["schemas that the new version hides", all, withoutSchemas, [closes(unread("schemas", newVersion))]],
  ["schemas that could not be read before", withoutSchemas, all, [unread("schemas", compared)]],
  ["schemas that neither shows", withoutSchemas, withoutSchemas, [unread("schemas", newVersion)]],
  [
    "the parts of each graph",
    contract({ other: read, agent: read }),
    contract({ other: read, agent: { nodes: failed, schemas: failed } }),
    [closes(unread("nodes", newVersion)), closes(unread("schemas", newVersion))],
  ],
])("gaps: %s", (_what, before, after, expected) => {
  const gaps = findGaps(before, after).map(({ message, failsGate }) =>
    failsGate ? closes(rawText(message)) : rawText(message),
  );

  expect(gaps).toEqual(expected);
});
