import { expect, test } from "@jest/globals";
import {
  commentIdKey,
  leftKey,
  needsCleanUp,
  recordEndKey,
  recordIdKey,
  savedId,
  savedText,
} from "../../../../src/report/runner/saved-state.ts";

test.each([
  ["42", "42", 42],
  ['{"task": "x"}', '{"task": "x"}', undefined],
  ["", undefined, undefined],
  [undefined, undefined, undefined],
])("the saved state %j is read as the text %j and the id %j", (value, text, id) => {
  const environment = { [`STATE_${recordIdKey}`]: value };

  expect(savedText(environment, recordIdKey)).toBe(text);
  expect(savedId(environment, recordIdKey)).toBe(id);
});

test.each([
  [recordIdKey, true],
  [commentIdKey, true],
  [leftKey, true],
  [recordEndKey, false],
])("a saved %s needs a clean-up: %p", (name, expected) => {
  expect(needsCleanUp({ [`STATE_${name}`]: "x" })).toBe(expected);
  expect(needsCleanUp({ [`STATE_${name}`]: "" })).toBe(false);
});
