import { expect, test } from "@jest/globals";
import { commentLimits } from "../../../../src/report/limits.ts";
import { checksSection } from "../../../../src/report/sections/checks.ts";
import { initialState, unknownRevision } from "../../../../src/state/run-state.ts";
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
  const notRun = Array.from({ length: 25 }, (_, index) => {
    const facts = { name: `test ${index}`, durationMs: 0, message: text`no`, summary: phrase`not run` };
    return { kind: "smoke test", verdict: "skipped", ...facts } as const;
  });
  const revision = { ...unknownRevision, checks: [failed, ...notRun] };

  const section = checksSection(
    { ...initialState({ title: "Preview" }, 0), revision },
    commentLimits,
    plainRenderer,
  );

  expect(section).toContain("6 more.");
});
