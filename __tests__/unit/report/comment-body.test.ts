import { describe, expect, test } from "@jest/globals";
import { readWorkflowRun } from "../../../src/inputs/workflow-run.ts";
import type { Facts } from "../../../src/progress/facts.ts";
import { Progress } from "../../../src/progress/progress.ts";
import {
  asKilled,
  type CommentContent,
  commentBody,
  commentMarker,
  withoutTime,
  withTime,
} from "../../../src/report/comment-body.ts";
import { sha } from "../../support/preview-scenario.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { elements, outsideCode, rendered } from "../support/rendered.ts";

const run = readWorkflowRun(
  recordingContext({
    GITHUB_REPOSITORY: "octo-org/octo-repo",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_RUN_ID: "42",
  }),
);

const facts: Facts = {
  ...new Progress(recordingContext({})).facts,
  url: "https://agent.example/",
  revisionId: "r-1",
  statuses: [{ status: "DEPLOYED", at: 0 }],
};

function body(content: Partial<CommentContent> & { with?: Partial<Facts> } = {}): string {
  const { with: changed, ...rest } = content;
  const ending = { outcome: "deployed", message: "It is live." } as const;
  return commentBody(
    { name: "agent", facts: { ...facts, ...changed }, ending, headSha: sha("a"), ...rest },
    run,
  );
}

test("it tells name, status, revision, commit, link and run", () => {
  const html = rendered(body());
  expect(html).toContain("<code>agent</code>");
  expect(html).toContain("deployed");
  expect(html).toContain("<code>DEPLOYED</code>");
  expect(html).toContain("<code>r-1</code>");
  expect(html).toContain(`href="https://github.com/octo-org/octo-repo/commit/${sha("a")}"`);
  expect(html).toContain('href="https://agent.example/"');
  expect(html).toContain('href="https://github.com/octo-org/octo-repo/actions/runs/42"');
});

test("the address is shown only once it shows what was deployed", () => {
  expect(body({ ending: undefined })).not.toContain("agent.example");
  expect(body({ ending: { outcome: "deleted", message: "" } })).not.toContain("agent.example");
});

test.each([
  [undefined, "⏳"],
  ["deployed", "✅"],
  ["started", "🚀"],
  ["deleted", "🗑️"],
  ["superseded", "⏭️"],
  ["failed", "❌"],
  ["timed_out", "❌ timed out"],
  ["cancelled", "❌"],
] as const)("%s is marked %s", (outcome, mark) => {
  const ending = outcome && { outcome, message: "" };
  expect(body({ ending })).toContain(`| Status | ${mark}`);
});

test("of a killed step a status that goes on is replaced, and nothing else", () => {
  const statuses = [{ status: "a | b", at: 0 }];
  for (const going of [body({ ending: undefined }), body({ ending: undefined, with: { statuses } })]) {
    const cells = asKilled(going).split("\n");
    expect(cells.filter((line) => !going.split("\n").includes(line))).toEqual([
      "| Status | ❌ the run was killed: what became of the revision isn't known |",
    ]);
    expect(going.split("\n").filter((line) => !cells.includes(line))).toEqual([
      expect.stringContaining("⏳"),
    ]);
  }
  expect(asKilled(body())).toBe(body());
});

describe("its marker", () => {
  const names = ["pr-1", "pr-12", "a", "a b", "x--", "-->", "<b>", "pr-1 -->"];

  test("hides itself, whatever the name", () => {
    for (const name of names) {
      expect(commentMarker(name)).toMatch(/^<!--[^<>]*-->$/);
      expect(rendered(commentMarker(name)).trim()).toBe(commentMarker(name));
    }
  });

  test("of one name isn't part of another's", () => {
    for (const one of names)
      for (const other of names)
        expect(commentMarker(one).includes(commentMarker(other))).toBe(one === other);
  });
});

describe("text from outside", () => {
  const hostile =
    "@octo-org/everyone #1 GH-2 <img src=x onerror=alert(1)> [click](https://evil.example) ![x](https://evil.example/x.png) https://evil.example www.evil.example mail@evil.example **bold** `` ` `` | cell | ~~gone~~ &lt;b&gt; abcdef0123456789abcdef0123456789abcdef01 <!-- deploy-agent-server preview:other --> \n\n# heading\n- list\n\u202e";

  test.each<[string, Parameters<typeof body>[0]]>([
    ["status", { ending: undefined, with: { statuses: [{ status: hostile, at: 0 }] } }],
    ["revision", { with: { revisionId: hostile } }],
    ["message", { ending: { outcome: "failed", message: hostile, hint: hostile } }],
    ["name", { name: hostile }],
  ])("stays text as %s", (_place, content) => {
    const plain = body();
    const html = outsideCode(body(content).replace(/^.*$/m, ""));
    expect(elements(body(content)).filter((name) => !["p", ...elements(plain)].includes(name))).toEqual([]);
    for (const live of [
      "@octo-org",
      "#1",
      "GH-2",
      "evil.example",
      "abcdef0123456789",
      "preview:other",
      "<b>",
    ])
      expect(html).not.toContain(live);
    expect(html.match(/href=/g)?.length ?? 0).toBeLessThanOrEqual(
      outsideCode(plain).match(/href=/g)?.length ?? 0,
    );
    expect(rendered(body(content))).toContain("@octo-org/everyone");
  });

  test.each(["https://evil.example/)[x](https://other.example", "https://evil.example/|a|`b`<script>"])(
    "stays one link as the address %s",
    (url) => {
      const links = rendered(body({ with: { url } })).match(/<a href="[^"]*"/g) ?? [];
      expect(links).toHaveLength(3);
      expect(links.filter((link) => link.startsWith('<a href="https://other'))).toEqual([]);
      expect(elements(body({ with: { url } }))).not.toContain("script");
    },
  );

  test("of any length fits into a comment", () => {
    const long = "x ".repeat(100_000);
    const ending = { outcome: "failed", message: long, hint: long } as const;
    const statuses = [{ status: long, at: 0 }];
    expect(withTime(body({ ending, with: { statuses, revisionId: long } }), 0).length).toBeLessThan(65_536);
  });
});

test("the time is of the last change, and is no part of what is compared", () => {
  const timed = withTime(body(), Date.parse("2026-03-02T09:04:59Z"));
  expect(rendered(timed)).toContain("Updated 2026-03-02 09:04 UTC");
  expect(withoutTime(timed)).toBe(body());
  expect(withoutTime(timed.replaceAll("\n", "\r\n"))).toBe(body());
});
