import { expect, test } from "@jest/globals";
import { readTarget, titleOf } from "../../../src/inputs/target.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

test.each<[string, Texts, unknown]>([
  ["a name", { name: " agent " }, { kind: "name", name: "agent" }],
  ["an id", { deployment_id: " id-1\n" }, { kind: "id", id: "id-1" }],
  ["an id rather than a name", { deployment_id: "id-1", name: "agent" }, { kind: "id", id: "id-1" }],
  ["a name beside an empty id", { deployment_id: " ", name: "agent" }, { kind: "name", name: "agent" }],
  ["an id of dots", { deployment_id: "..." }, { kind: "id", id: "..." }],
  ["a name of dots", { name: ".." }, { kind: "name", name: ".." }],
])("a deployment is found by %s", (_what, inputs, result) => {
  expect(reading(inputs, readTarget)).toEqual({ result, problems: [], notes: [] });
});

test.each<[string, Texts, unknown]>([
  ["no input", {}, problem("name", "or deployment_id must be given")],
  ["empty inputs", { deployment_id: "", name: " \n" }, problem("name", "or deployment_id must be given")],
  ["the id .", { deployment_id: ".", name: "agent" }, problem("deployment_id", "must not be", '".."')],
  ["the id ..", { deployment_id: "..", name: "agent" }, problem("deployment_id", "must not be", '".."')],
])("a deployment cannot be found by %s", (_what, inputs, expected) => {
  expect(reading(inputs, readTarget)).toEqual({
    result: { kind: "name", name: "" },
    problems: [expected],
    notes: [],
  });
});

test("the title of a target is its id or its name", () => {
  expect(titleOf({ kind: "id", id: "id-1" })).toBe("id-1");
  expect(titleOf({ kind: "name", name: "agent", recordedId: "id-1" })).toBe("agent");
});
