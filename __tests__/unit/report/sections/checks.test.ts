import { expect, test } from "@jest/globals";
import { commentLimits } from "../../../../src/report/limits.ts";
import { checksSection } from "../../../../src/report/sections/checks.ts";
import { initialState, unknownRevision } from "../../../../src/state/run-state.ts";
import { phrase, text } from "../../../../src/text/message.ts";
import { plainRenderer } from "../support/plain-renderer.ts";

test("checks that do not fit into the table are counted, and are not said to be in the log: some were skipped", () => {
  const failed = {
    kind: "health check",
    name: "/ok",
    verdict: "failed",
    durationMs: 1,
    description: phrase`no`,
    hint: text`Fix it.`,
  } as const;
  const skipped = Array.from({ length: 25 }, (_, index) => {
    const facts = { name: `test ${index}`, durationMs: 0, description: phrase`an earlier check failed` };
    return { kind: "smoke test", verdict: "skipped", ...facts } as const;
  });
  const revision = { ...unknownRevision, checks: [failed, ...skipped] };

  const section = checksSection(
    { ...initialState({ title: "Preview" }, 0), revision },
    commentLimits,
    plainRenderer,
  );

  expect(section).toContain("6 more.");
});
