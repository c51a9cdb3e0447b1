import { expect, test } from "@jest/globals";
import { fromWire, toWire } from "../../../src/platform/dialect.ts";
import { platforms, standard } from "../../../src/platform/platforms.ts";

const langsmith = platforms.langsmith ?? standard;
const ours = { source_revision_config: { repo_ref: "main", app_config_path: "a.json" } };
const theirs = { source_revision_config: { repo_ref: "main", langgraph_config_path: "a.json" } };

test("a request has the platform's names of fields", () => {
  expect(toWire(ours, langsmith)).toEqual(theirs);
  expect(toWire(ours, standard)).toEqual(ours);
});

test.each([
  { secrets: [], source_revision_config: undefined },
  { source_config: { resource_spec: { app_config_path: 1 } }, source_revision_config: undefined },
])("a request without a revision's configuration stays as it is: %j", (request) => {
  expect(toWire(request, langsmith)).toEqual(request);
});

test("a response has our names of fields, alone or in a list", () => {
  expect(fromWire({ id: "1", ...theirs }, langsmith)).toEqual({ id: "1", ...ours });
  expect(fromWire({ resources: [theirs], offset: 1 }, langsmith)).toEqual({ resources: [ours], offset: 1 });
  expect(fromWire({ resources: "none" }, langsmith)).toEqual({ resources: "none" });
  expect(Object.keys(Object(fromWire({ id: "1" }, langsmith)))).toEqual(["id"]);
  expect(fromWire([theirs], langsmith)).toEqual([ours]);
  expect(fromWire(theirs, standard)).toEqual(theirs);
});

test.each([null, "text", 5, [], { source_revision_config: null }])(
  "the response %j stays as it is",
  (body) => {
    expect(fromWire(body, langsmith)).toEqual(body);
  },
);
