import { expect, test } from "@jest/globals";
import type { FailureLog } from "../../../src/events.ts";
import { failureLogForComment, failureLogSection } from "../../../src/report/failure-log-section.ts";

test("the summary shows 20 lines of the log, and a comment 8, cut and as code", () => {
  const lines = Array.from({ length: 50 }, (_, index) => `${index} ${"x".repeat(1000)}`);
  const log: FailureLog = { type: "build", lines };
  const cut = (length: number) => (line: string) => `${line.slice(0, length - 1)}…`;

  expect(failureLogSection(log).split("\n")).toEqual([
    "### End of the build log",
    "",
    "```text",
    ...lines.slice(-20).map(cut(500)),
    "```",
  ]);
  expect(failureLogForComment(log).split("\n")).toEqual([
    "**End of the build log:**",
    "",
    "```text",
    ...lines.slice(-8).map(cut(200)),
    "```",
  ]);
});
