import { expect, test } from "@jest/globals";
import { fromWire, toWire } from "../../../src/platform/dialect.ts";
import { platforms, standard } from "../../../src/platform/platforms.ts";

const langsmith = platforms.langsmith ?? standard;
const ours = { source_revision_config: { repo_ref: "main", app_config_path: "a.json" } };
const theirs = { source_revision_config: { repo_ref: "main", langgraph_config_path: "a.json" } };

test("a request names its fields as the platform does", () => {
  expect(toWire(ours, langsmith)).toEqual(theirs);
  expect(toWire(ours, standard)).toEqual(ours);
  const without = { secrets: [], source_revision_config: undefined };
  expect(toWire(without, langsmith)).toEqual(without);
});

test("only the revision's configuration is translated", () => {
  const spec = {
    source_config: { resource_spec: { app_config_path: 1 } },
    source_revision_config: undefined,
  };
  expect(toWire(spec, langsmith)).toEqual(spec);
});

test("an answer is read back, alone or in a list", () => {
  expect(fromWire({ id: "1", ...theirs }, langsmith)).toEqual({ id: "1", ...ours });
  expect(fromWire({ resources: [theirs], offset: 1 }, langsmith)).toEqual({ resources: [ours], offset: 1 });
});

test.each([null, "text", 5, [], { source_revision_config: null }])("%j stays as it is", (body) => {
  expect(fromWire(body, langsmith)).toEqual(body);
});
