import { expect, test } from "@jest/globals";
import { readTarget, titleOf } from "../../../src/inputs/target.ts";
import { reading, type Texts } from "./support/reading.ts";

test.each<[string, Texts, unknown]>([
  ["a name", { name: " agent " }, { kind: "name", name: "agent" }],
  ["an id", { deployment_id: " id-1\n" }, { kind: "id", id: "id-1" }],
  ["an id before a name", { deployment_id: "id-1", name: "agent" }, { kind: "id", id: "id-1" }],
  ["a name beside an empty id", { deployment_id: " ", name: "agent" }, { kind: "name", name: "agent" }],
  ["an id with dots", { deployment_id: "..." }, { kind: "id", id: "..." }],
  ["dots as a name", { name: ".." }, { kind: "name", name: ".." }],
])("%s", (_what, inputs, result) => {
  expect(reading(inputs, readTarget)).toEqual({ result, problems: [], remarks: [] });
});

test.each<[string, Texts]>([
  ["neither", {}],
  ["two empty ones", { deployment_id: "", name: " \n" }],
])("%s is an error that names both", (_what, inputs) => {
  const { result, problems } = reading(inputs, readTarget);
  expect(problems).toEqual(["Input name or deployment_id has to be given."]);
  expect(result).toEqual({ kind: "name", name: "" });
});

test.each([".", ".."])("%s is no id: in a path it would lead elsewhere", (id) => {
  const { result, problems } = reading({ deployment_id: id, name: "agent" }, readTarget);
  expect(problems).toEqual(['Input deployment_id can\'t be "." or "..".']);
  expect(result).toEqual({ kind: "name", name: "" });
});

test("a target is called by what it was given by", () => {
  expect(titleOf({ kind: "id", id: "id-1" })).toBe("id-1");
  expect(titleOf({ kind: "name", name: "agent", recordedId: "id-1" })).toBe("agent");
});
