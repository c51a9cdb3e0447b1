import { expect, test } from "@jest/globals";
import { equalsIgnoringCase } from "../../../src/text/equals-ignoring-case.ts";

test("ids are the same in another case", () => {
  expect(equalsIgnoringCase("Agent-A", "aGENT-a")).toBe(true);
  expect(equalsIgnoringCase("agent-a", "agent-b")).toBe(false);
  expect(equalsIgnoringCase(undefined, "")).toBe(false);
});
