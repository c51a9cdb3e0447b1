import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readWorkflowRun } from "../../../src/inputs/workflow-run.ts";
import type { Ending, Outcome } from "../../../src/progress/ending.ts";
import type { Facts } from "../../../src/progress/facts.ts";
import { Progress } from "../../../src/progress/progress.ts";
import { deploymentSummary } from "../../../src/report/summary.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { pushToMain } from "../../support/scenario.ts";
import { elements, outsideCode, rendered } from "../support/rendered.ts";

const context = recordingContext({});
const run = readWorkflowRun(recordingContext(pushToMain));
const noRun = readWorkflowRun(context);

function factsWith(known: Partial<Facts>): Facts {
  return Object.assign(new Progress(context).facts, known);
}

const start = context.clock.now();
const live = factsWith({
  title: "agent",
  name: "agent",
  deploymentId: "d-1",
  revisionId: "r-1",
  created: true,
  url: "https://agent.example/",
  source: "main",
  writtenAt: start,
  statuses: [
    { status: "QUEUED", at: start },
    { status: "DEPLOYED", at: start + 30_000 },
  ],
});
const deployed: Ending = { outcome: "deployed", message: "Revision r-1 is live at https://agent.example/." };

test("a success tells what was deployed where, with links, and how long it took", () => {
  expect(deploymentSummary(live, deployed, run, start + 31_000)).toBe(
    [
      "## ✅ Deployment `agent`: deployed",
      "",
      "Revision `r-1` is live at `https://agent.example/`.",
      "",
      "| | |",
      "|---|---|",
      "| Deployment | `agent`, id `d-1`, created by this run |",
      "| Revision | `r-1` |",
      "| Deploys | `main` |",
      "| Commit of this run | [`0123456`](<https://github.com/octo-org/octo-repo/commit/0123456789abcdef0123456789abcdef01234567>) |",
      "| URL | [`https://agent.example/`](<https://agent.example/>) |",
      "| Took | 31 s |",
      "",
      "| Status | first seen after | lasted |",
      "|---|---:|---:|",
      "| `QUEUED` | 0 s | 30 s |",
      "| `DEPLOYED` | 30 s |  |",
      "",
      "```mermaid",
      "gantt",
      "    title Time in each status (in seconds)",
      "    dateFormat x",
      "    axisFormat %s",
      "    QUEUED :0, 30000",
      "```",
      "",
      "",
    ].join("\n"),
  );
});

test("a failure tells what to do next, and shows no address as if it were deployed", () => {
  const failed: Ending = { outcome: "failed", message: "It failed.", hint: "Look at app_config_path." };
  const summary = deploymentSummary(live, failed, run, start);
  expect(summary).toContain(
    "## ❌ Deployment `agent`: failed\n\n> [!CAUTION]\n> It failed.\n>\n> **What to do next:** Look at `app_config_path`.",
  );
  expect(summary).not.toContain("agent.example");
});

test("findings are a list", () => {
  const failed: Ending = {
    outcome: "failed",
    message: "2 inputs can't be used.",
    hint: "Correct it.",
    items: ["a: x", "b: y"],
  };
  const html = rendered(deploymentSummary(live, failed, run, start));
  expect(html.match(/<li>/g)).toHaveLength(2);
});

test("findings that the message tells are listed once, below what they are of", () => {
  const message = "POST /v2/deployments was answered with 422: body.name: bad; body.wait: too bad.";
  const failed: Ending = { outcome: "failed", message, items: ["body.name: bad", "body.wait: too bad"] };
  expect(deploymentSummary(factsWith({}), failed, noRun, start)).toBe(
    [
      "## ❌ Deployment: failed",
      "",
      "> [!CAUTION]",
      "> POST `/v2/deployments` was answered with 422:",
      "> - `body.name`: bad",
      "> - `body.wait`: too bad",
      "",
      "",
    ].join("\n"),
  );
});

test("where nothing is known there is no empty table", () => {
  const failed: Ending = { outcome: "failed", message: "No." };
  expect(deploymentSummary(factsWith({}), failed, noRun, start)).toBe(
    "## ❌ Deployment: failed\n\n> [!CAUTION]\n> No.\n\n",
  );
});

describe("each outcome has its mark", () => {
  test.each<[Outcome, string]>([
    ["deployed", "✅ Deployment `agent`: deployed"],
    ["started", "✅ Deployment `agent`: started"],
    ["planned", "✅ Deployment `agent`: planned"],
    ["failed", "❌ Deployment `agent`: failed"],
    ["superseded", "❌ Deployment `agent`: superseded"],
    ["interrupted", "❌ Deployment `agent`: interrupted"],
    ["timed_out", "❌ Deployment `agent`: timed out"],
    ["cancelled", "❌ Deployment `agent`: cancelled"],
  ])("%s", (outcome, heading) => {
    expect(deploymentSummary(live, { outcome, message: "x" }, run, start)).toContain(`## ${heading}\n`);
  });
});

test("whatever comes from outside, nothing of it is live", () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "@everyone",
          "<img src=x>",
          "[x](http://evil.example)",
          "http://evil.example",
          "`",
          "|",
          "\n",
          "```",
          "- ",
          "1. ",
          "# ",
          "> ",
          "<!--",
        ),
        fc.string(),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(" "));
  const allowed = [
    "a",
    "blockquote",
    "h2",
    "li",
    "p",
    "pre",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
  ];
  fc.assert(
    fc.property(hostile, hostile, fc.constantFrom<Outcome>("deployed", "failed"), (one, other, outcome) => {
      const facts = factsWith({
        ...live,
        title: one,
        name: other,
        deploymentId: one,
        revisionId: other,
        source: one,
        statuses: [
          { status: other, at: start },
          { status: one, at: start + 1 },
        ],
      });
      const ending: Ending = { outcome, message: one, hint: other, items: [one, other] };
      const summary = deploymentSummary(facts, ending, run, start + 5);
      for (const element of elements(summary)) expect(allowed).toContain(element);
      expect(outsideCode(summary)).not.toMatch(/@everyone|evil/);
    }),
    { numRuns: 50 },
  );
});
