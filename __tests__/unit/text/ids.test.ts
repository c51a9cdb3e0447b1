import { expect, test } from "@jest/globals";
import { isSameId } from "../../../src/text/ids.ts";

test("ids are the same in another case", () => {
  expect(isSameId("Agent-A", "aGENT-a")).toBe(true);
  expect(isSameId("agent-a", "agent-b")).toBe(false);
});
