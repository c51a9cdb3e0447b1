import { expect, test } from "@jest/globals";
import { findGaps } from "../../../src/compare/find-gaps.ts";
import { type Contract, type GraphContract, schemaKinds } from "../../../src/compare/read-contract.ts";
import { RequestError } from "../../../src/http/request-error.ts";
import { rawText, text } from "../../../src/text/message.ts";
import { agentWith, contract, failed, graph, schemas } from "./support/contracts.ts";

const all = agentWith("write");
const read = graph(["write"]);
const withNodes = (nodes: GraphContract["nodes"]) => contract({ agent: { ...read, nodes } });
const withSchemas = (read_: GraphContract["schemas"]) => contract({ agent: { ...read, schemas: read_ } });
const noInput = schemas({ input: undefined });
const noOutput = schemas({ output: {} });
const neither = schemas({ input: undefined, output: undefined });
const none = schemas(Object.fromEntries(schemaKinds.map((kind) => [kind, undefined])));
const newVersion = "the new version does not report the schema of its";
const compared = "the agent to compare with does not report the schema of its";
const byNeither = "neither agent reports the schema of its";
const unread = (parts: string, who: string) =>
  `The ${parts} of graph agent could not be compared: the ${who} did not show them. Failed. Try again.`;
const unreadByBoth = (parts: string) =>
  `The ${parts} of graph agent could not be compared: neither agent showed them. Failed. Try again.`;
const unreadNodes = unread("nodes", "new version");
const unreadSchemas = unread("schemas", "new version");

const closes = (message: string) => `closes the gate: ${message}`;

test.each<readonly [string, Contract, Contract, readonly string[]]>([
  ["none if everything is shown", all, all, []],
  [
    "none if only config or context lack",
    schemas({ config: undefined }),
    schemas({ context: undefined }),
    [],
  ],
  ["none of a graph that is gone, which is a change", noInput, contract({}), []],
  ["none of a graph that is new", contract({}), withNodes(failed), []],
  ["nodes that the new version hides", all, withNodes(failed), [closes(unreadNodes)]],
  ["nodes that could not be read before", withNodes(failed), all, [unread("nodes", "agent to compare with")]],
  ["nodes that neither shows", withNodes(failed), withNodes(failed), [unreadByBoth("nodes")]],
  ["schemas that the new version hides", all, withSchemas(failed), [closes(unreadSchemas)]],
  [
    "schemas that could not be read before",
    withSchemas(failed),
    none,
    [unread("schemas", "agent to compare with")],
  ],
  ["schemas that neither shows", withSchemas(failed), withSchemas(failed), [unreadByBoth("schemas")]],
  ["schemas that were not reported before", none, withSchemas(failed), [unreadSchemas]],
  ["an input that neither reports", noInput, noInput, [`${byNeither} input`]],
  ["an output that was not reported before", noOutput, all, [`${compared} output`]],
  ["an output that is not reported any more", all, noOutput, [closes(`${newVersion} output`)]],
  ["each kind of schema by itself", noInput, noOutput, [closes(`${newVersion} output`), `${compared} input`]],
  [
    "one kind that neither reports and one that is lost",
    noInput,
    neither,
    [closes(`${newVersion} output`), `${byNeither} input`],
  ],
  ["both kinds together", all, neither, [closes(`${newVersion} input and output`)]],
  [
    "the parts of each graph",
    contract({ other: read, agent: read }),
    contract({ other: read, agent: { nodes: failed, schemas: failed } }),
    [closes(unreadNodes), closes(unreadSchemas)],
  ],
])("gaps: %s", (_what, before, after, expected) => {
  const gaps = findGaps(before, after).map(({ message, failsGate }) => {
    const words = rawText(message)
      .replace(/^Graph agent: /, "")
      .replace(
        /, so that was not compared\. In Python before 3\.12, use TypedDict from typing_extensions\.$/,
        "",
      );
    return failsGate ? closes(words) : words;
  });

  expect(gaps).toEqual(expected);
});

test("an agent that fails at its schemas with status 500 may be in JavaScript without Zod", () => {
  const error = new RequestError(text`Failed.`, { status: 500, hint: text`Try again.` });

  const gaps = findGaps(all, withSchemas({ error }));

  expect(gaps.map(({ message }) => rawText(message))).toEqual([
    `${unreadSchemas} The vendor's server describes a graph in a .js file only if its state is a Zod schema.`,
  ]);
});

test("in Python before 3.12, a schema that is not reported needs another TypedDict", () => {
  const gaps = findGaps(noInput, noInput);

  expect(gaps.map(({ message }) => rawText(message))).toEqual([
    `Graph agent: ${byNeither} input, so that was not compared. In Python before 3.12, use TypedDict from typing_extensions.`,
  ]);
});
