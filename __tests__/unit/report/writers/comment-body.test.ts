import { describe, expect, test } from "@jest/globals";
import type { Ending, Outcome } from "../../../../src/errors.ts";
import { readWorkflowRun } from "../../../../src/github/workflow-run.ts";
import {
  type CommentContent,
  commentBody,
  commentMarker,
  isSameExceptRun,
  killedCommentBody,
  wasWrittenBy,
  withoutTime,
  withTime,
} from "../../../../src/report/writers/comment-body.ts";
import { text } from "../../../../src/text/message.ts";
import { rendered } from "../../support/rendered.ts";
import { factsWith, plainRenderer, seen } from "../support/facts.ts";

const sha = "a".repeat(40);

function workflowRun(id: string) {
  const server = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "octo-org/octo-repo" };
  return readWorkflowRun({ ...server, GITHUB_RUN_ID: id });
}

const ended = (outcome: Outcome, more: Partial<Ending> = {}): Ending => ({
  outcome,
  message: text``,
  ...more,
});

/** The comment of a preview that is live, with these changes. */
function body(
  facts: Parameters<typeof factsWith>[0] = {},
  content: Partial<Omit<CommentContent, "facts">> = {},
  runId = "42",
): string {
  const live = { ...seen("DEPLOYED"), url: "https://agent.example/", revisionId: "r-1", ...facts };
  const full = { name: "agent", headSha: sha, result: ended("deployed"), ...content };
  return commentBody({ ...full, facts: factsWith(live) }, workflowRun(runId), plainRenderer);
}

const inProgress = { result: undefined };

test("a comment shows name, status, revision, commit, URL and run", () => {
  const html = rendered(body());

  for (const fact of [
    "<code>agent</code>",
    "<h3>✅ Preview <code>agent</code>: deployed</h3>",
    "<code>r-1</code>",
    `href="https://github.com/octo-org/octo-repo/commit/${sha}"`,
    'href="https://agent.example/"',
    'href="https://github.com/octo-org/octo-repo/actions/runs/42"',
  ]) {
    expect(html).toContain(fact);
  }
});

test("the URL of a preview that is live is a link in the first row of its comment", () => {
  const [, , , row] = body().split("\n");

  expect(row).toBe("| URL | [`https://agent.example/`](<https://agent.example/>) |");
});

test("a comment links to the deployment's page, and to Studio once it is live, unless it is deleted", () => {
  const consoleLinks = { url: "https://smith.langchain.com", workspaceId: "w" };
  const bodyOf = (result: Ending | undefined) => body({ consoleLinks, deploymentId: "d" }, { result });

  expect(bodyOf(ended("deployed"))).toMatch(
    /\| On the platform \| .*\/o\/w\/host\/deployments\/d.*\/studio\//,
  );
  expect(bodyOf(ended("failed"))).toContain("/o/w/host/deployments/d");
  expect(bodyOf(undefined)).not.toContain("/studio/");
  expect(bodyOf(ended("deleted"))).not.toContain("On the platform");
});

test("a comment has the URL only if a revision is live there", () => {
  const liveRevisionId = "r-0";
  const failed = { result: ended("failed") };

  expect(body({ liveRevisionId }, failed)).toContain("| URL | [`https://agent.example/`]");
  expect(body({ liveRevisionId, mayHaveSwitched: true }, failed)).not.toContain("| URL |");
  expect(body({ liveRevisionId }, { result: ended("failed", { special: "being_deleted" }) })).not.toContain(
    "| URL |",
  );
  expect(body({}, failed)).not.toContain("| URL |");
  expect(body({}, inProgress)).not.toContain("agent.example");
  expect(body({}, { result: ended("deleted") })).not.toContain("agent.example");
});

test.each<[Outcome | "in progress", string]>([
  ["in progress", "⏳ Preview `agent`: `DEPLOYED`"],
  ["deleted", "🗑️ Preview `agent`: deleted"],
  ["failed", "❌ Preview `agent`: failed (`DEPLOYED`)"],
  ["deployed", "✅ Preview `agent`: deployed"],
  ["timed_out", "❌ Preview `agent`: timed out (`DEPLOYED`)"],
])("the heading of a run that is %s is %s", (outcome, heading) => {
  const result = outcome === "in progress" ? undefined : ended(outcome);

  expect(body({}, { result })).toContain(`\n### ${heading}\n`);
});

test("the heading of a run that failed after its revision was deployed says what failed", () => {
  const message = text`The smoke test failed.`;
  const failed = { kind: "smoke test", name: "asks", passed: false, durationMs: 1, message } as const;

  expect(body({ checks: [failed] }, { result: ended("failed") })).toContain(
    "\n### ❌ Preview `agent`: failed (smoke test)\n",
  );
  expect(body({}, { result: ended("failed", { failure: text`wrong commit` }) })).toContain(
    ": failed (wrong commit)\n",
  );
  expect(body(seen("BUILD_FAILED"), { result: ended("failed") })).toContain(": failed (`BUILD_FAILED`)\n");
});

test("a comment names the live revision if it is not this run's, which the URL then leads to", () => {
  const liveRevisionId = "r-0";

  expect(body({ liveRevisionId }, { result: ended("failed") })).toContain("| Live revision | `r-0` |");
  expect(body({ liveRevisionId: "r-1" })).not.toContain("Live revision");
  expect(body({ liveRevisionId }, inProgress)).not.toContain("Live revision");
});

test("while a revision is built, a comment has the URL if an earlier one is live, and names it", () => {
  const building = { ...seen("BUILDING"), previousRevisionId: "r-0" };

  expect(body(building, inProgress)).toContain("| Live revision | `r-0` |");
  expect(body(building, inProgress)).toContain("| URL | [`https://agent.example/`]");
  expect(body({ previousRevisionId: "r-0" }, inProgress)).not.toContain("| URL |");
});

test("a comment shows the head of the pull request, and the merge that GitHub checked out", () => {
  const merge = "b".repeat(40);
  const env = {
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_SHA: merge,
    GITHUB_REPOSITORY: "octo-org/octo-repo",
  };
  const run = { ...readWorkflowRun(env), payload: { pull_request: { head: { sha } } } };
  const facts = factsWith({
    sourceDigest: "sha256:1",
    sourceCommit: { sha: merge, hasLocalChanges: false, isOfThisRepository: true },
  });

  const html = rendered(
    commentBody({ name: "agent", headSha: sha, result: ended("deployed"), facts }, run, plainRenderer),
  );

  expect(html).toMatch(
    new RegExp(
      `/commit/${sha}"><code>${sha.slice(0, 7)}</code></a> \\(merged as <a href="[^"]*/commit/${merge}`,
    ),
  );
});

test("a failed run is described with its message, details, hint and the end of the log", () => {
  const result = ended("failed", {
    message: text`It failed.`,
    details: [text`An older one is live.`],
    hint: text`Check x.`,
    problems: [text`One.`, text`Two.`],
  });
  const failureLog = { type: "build", lines: [{ label: "", text: "boom" }] } as const;

  const markdown = body({ failureLog }, { result });

  expect(markdown).toContain(
    "> It failed.\n>\n> An older one is live.\n> - One.\n> - Two.\n>\n> **What to do next:** Check x.\n",
  );
  expect(markdown).toContain("<details><summary>End of the build log</summary>\n\n```text\nboom\n```");
});

test("after a kill only the status in progress is replaced", () => {
  for (const markdown of [body({ statuses: [] }, inProgress), body(seen("a | b"), inProgress)]) {
    const before = markdown.split("\n");
    const after = killedCommentBody(markdown).split("\n");

    expect(after.filter((line) => !before.includes(line))).toEqual([
      expect.stringMatching(/^### ❌ Preview `agent`: the run was killed/),
      "If a newer run replaced this one, there is nothing to do. Otherwise, re-run the job.",
    ]);
    expect(before.filter((line) => !after.includes(line))).toEqual([expect.stringContaining("⏳")]);
  }
  expect(killedCommentBody(body())).toBe(body());
});

test("the time is that of the last change, and is left out of comparisons", () => {
  const timed = withTime(body(), Date.parse("2026-03-02T09:04:59Z"));

  expect(rendered(timed)).toContain("Updated 2026-03-02 09:04 UTC");
  expect(withoutTime(timed)).toBe(body());
  expect(withoutTime(timed.replaceAll("\n", "\r\n"))).toBe(body());
});

test("the run that wrote a comment is recognized", () => {
  const other = body({}, {}, "43");

  expect([wasWrittenBy(workflowRun("42"), body()), wasWrittenBy(workflowRun("42"), other)]).toEqual([
    true,
    false,
  ]);
  expect(isSameExceptRun(body(), other)).toBe(true);
  expect(isSameExceptRun(body(), body({ revisionId: "r-2" }))).toBe(false);
});

describe("the marker", () => {
  const names = ["pr-1", "pr-12", "a", "a b", "x--", "-->", "<b>", "pr-1 -->"];

  test.each(names)("of %j is a hidden comment", (name) => {
    expect(commentMarker(name)).toMatch(/^<!--[^<>]*-->$/);
    expect(rendered(commentMarker(name)).trim()).toBe(commentMarker(name));
  });

  test.each(names)("of %j is not part of another name's", (name) => {
    const markers = names.map(commentMarker).filter((marker) => marker.includes(commentMarker(name)));
    expect(markers).toEqual([commentMarker(name)]);
  });
});
