import { expect, test } from "@jest/globals";
import {
  needsCleanUp,
  savedCommentKey,
  savedRecordKey,
  savedText,
  savedUnfinishedKey,
} from "../../../../src/report/runner/saved-state.ts";

test.each([
  ["{}", "{}"],
  ["", undefined],
  [undefined, undefined],
])("the saved state %j is read as the text %j", (value, text) => {
  expect(savedText({ [`STATE_${savedRecordKey}`]: value }, savedRecordKey)).toBe(text);
});

test.each([
  [savedRecordKey, true],
  [savedCommentKey, true],
  [savedUnfinishedKey, true],
  ["other", false],
])("a saved %s needs a clean-up: %p", (name, expected) => {
  expect(needsCleanUp({ [`STATE_${name}`]: "x" })).toBe(expected);
  expect(needsCleanUp({ [`STATE_${name}`]: "" })).toBe(false);
});
