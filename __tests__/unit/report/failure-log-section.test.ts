import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { FailureLog } from "../../../src/events.ts";
import { failureLogForComment, failureLogSection } from "../../../src/report/failure-log-section.ts";
import { hostileText } from "../../injection/support/hostile-text.ts";
import { elements, outsideCode } from "../support/rendered.ts";

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

test("nothing in a log acts as Markdown", () => {
  const markdown = [
    "```",
    "````text",
    "~~~",
    "</details>",
    "<img src=x>",
    "@octocat #1",
    "[a](b)",
    "# a",
    "<!-- -->",
  ];
  const line = fc
    .oneof(hostileText, fc.constantFrom(...markdown))
    .map((text) => text.replace(/[\r\n]/g, " "));

  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const log: FailureLog = { type: "build", lines };
      for (const section of [failureLogSection(log), failureLogForComment(log)]) {
        const text = outsideCode(`${section}\n\nafter`).replace(/<[^>]*>/g, "");
        expect(text.split(/\s+/).join(" ").trim()).toMatch(/^End of the build log:? after$/);
        expect(["h3", "p", "pre", "strong"]).toEqual(expect.arrayContaining(elements(section)));
      }
    }),
    { numRuns: 100 },
  );
});
