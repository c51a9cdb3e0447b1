import { expect, test } from "@jest/globals";
import { commentLimits } from "../../../../src/report/limits.ts";
import { checksSection } from "../../../../src/report/sections/checks.ts";
import { initialState, unknownRevision } from "../../../../src/report/state.ts";
import { phrase, text } from "../../../../src/text/message.ts";
import { plainRenderer } from "../support/plain-renderer.ts";

test("checks that do not fit into the table are counted, and are not said to be in the log: not all were run", () => {
  const failed = {
    kind: "health check",
    name: "/ok",
    verdict: "failed",
    durationMs: 1,
    message: text`no`,
    hint: text`Fix it.`,
  } as const;
  const others = Array.from({ length: 25 }, (_, index) => {
    return {
      kind: "smoke test",
      name: `test ${index}`,
      verdict: "notRun",
      summary: phrase`not run`,
    } as const;
  });
  const revision = { ...unknownRevision, checks: [failed, ...others] };

  const section = checksSection(
    { ...initialState({ title: "Preview" }, 0), revision },
    commentLimits,
    plainRenderer,
  );

  expect(section).toContain("6 more.");
});
