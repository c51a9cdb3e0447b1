import { expect, test } from "@jest/globals";
import {
  commentKey,
  needsCleanUp,
  recordKey,
  savedText,
  unfinishedKey,
} from "../../../../src/report/runner/saved-state.ts";

test.each([
  ["{}", "{}"],
  ["", undefined],
  [undefined, undefined],
])("the saved state %j is read as the text %j", (value, text) => {
  expect(savedText({ [`STATE_${recordKey}`]: value }, recordKey)).toBe(text);
});

test.each([
  [recordKey, true],
  [commentKey, true],
  [unfinishedKey, true],
  ["other", false],
])("a saved %s needs a clean-up: %p", (name, expected) => {
  expect(needsCleanUp({ [`STATE_${name}`]: "x" })).toBe(expected);
  expect(needsCleanUp({ [`STATE_${name}`]: "" })).toBe(false);
});
