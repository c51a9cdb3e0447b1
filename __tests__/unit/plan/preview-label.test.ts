import { describe, expect, test } from "@jest/globals";
import type { PreviewTask } from "../../../src/actions/preview-event.ts";
import { decide, deleted, deployed, type Given, skipped } from "./support/decide.ts";

const closed = "the pull request is closed";
const anotherLabel = skipped("another label was changed");
const unlabelled = skipped("the pull request doesn't have the label preview");

describe("where a label is wanted", () => {
  test.each<[string, Given, PreviewTask]>([
    ["opened with it", { action: "opened", labels: ["a", "preview"] }, deployed],
    ["opened without it", { action: "opened", labels: ["preview2"] }, unlabelled],
    ["pushed to without it", { action: "synchronize" }, unlabelled],
    ["reopened without it", { action: "reopened" }, unlabelled],
    ["closed without it", { action: "closed" }, deleted(closed)],
    ["given it", { action: "labeled", changed: "preview", labels: ["preview"] }, deployed],
    [
      "given it when closed",
      { action: "labeled", state: "closed", changed: "preview", labels: ["preview"] },
      skipped(closed),
    ],
    ["given another", { action: "labeled", changed: "bug", labels: ["preview", "bug"] }, anotherLabel],
    ["given one that isn't told", { action: "labeled", labels: ["preview"] }, anotherLabel],
    ["rid of it", { action: "unlabeled", changed: "preview" }, deleted("the label preview was removed")],
    [
      "rid of it when closed",
      { action: "unlabeled", state: "closed", changed: "preview" },
      deleted("the label preview was removed"),
    ],
    ["rid of another", { action: "unlabeled", changed: "bug", labels: ["preview"] }, anotherLabel],
  ])("a pull request %s", (_title, given, expected) => {
    expect(decide({ wanted: "preview", ...given })).toEqual(expected);
  });
});

test.each<Given>([
  { action: "labeled", changed: "preview" },
  { action: "unlabeled", changed: "preview" },
  { action: "labeled" },
])("where no label is wanted, none is looked at: %j", (given) => {
  expect(decide(given)).toEqual(anotherLabel);
});
