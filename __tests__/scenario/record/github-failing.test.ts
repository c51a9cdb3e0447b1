import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import { immediate, type ScenarioRun, startScenario, taskOf7 } from "../../support/scenario.ts";
import { commentOf7, newestStates } from "./support.ts";

const always = { times: "always" } as const;
const recordPermission = '"deployments: write"';
const commentPermission = '"pull-requests: write"';

/** The deployment succeeded, with one warning for each of these permissions. */
function expectUnaffected(run: ScenarioRun, ...permissions: readonly string[]): void {
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.errors).toEqual([]);
  expect(run.warnings).toHaveLength(permissions.length);
  for (const permission of permissions) {
    expect(run.warnings).toContainEqual(expect.stringContaining(permission));
  }
}

test.each<[string, GitHubFault]>([
  ["403", answer(always, 403)],
  ["a reset", { kind: "reset", match: always }],
  ["nonsense", answer(always, 200, { body: { what: "?" } })],
  ["half of each response", { kind: "cut", match: always }],
])("with %s from GitHub a preview is still deployed, updated and deleted", async (_what, fault) => {
  const { emulator, github, open, preview, shut } = await startScenario(immediate);
  open();
  github.fail(fault);

  const opened = await preview("opened");
  const pushed = await preview("synchronize");
  shut();
  const closed = await preview("closed");

  expectUnaffected(opened, recordPermission, commentPermission);
  expectUnaffected(pushed, recordPermission, commentPermission);
  expect(pushed.outputs.deployment_id).toBe(opened.outputs.deployment_id);
  expect(closed.outputs.outcome).toBe("deleted");
  expect(emulator.deployments()).toEqual([]);
});

test.each([
  ["the login of the token", "/graphql$"],
  ["the records", "GET /deployments$"],
])("a re-run finds the revision of its earlier attempt after a 502 for %s", async (_what, match) => {
  const { github, run } = await startScenario({ statusSeconds: 15 });
  const inputs = { name: "agent", environment: "staging", timeout_seconds: "60" };
  const first = await run("deploy", { inputs, env: { GITHUB_RUN_ID: "77" } });
  github.fail(answer(match, 502));

  const again = await run("deploy", { inputs, env: { GITHUB_RUN_ID: "77" } });

  expectUnaffected(again);
  expect(again.outputs.revision_id).toBe(first.outputs.revision_id);
});

const deployedComment = /^### ✅ Preview .*: deployed$/m;

describe.each([false, true])(
  "without a permission to read, which GitHub answers with a 404: %s,",
  (isHidden) => {
    test.each<[string, string[], RegExp, string[]]>([
      ["deployments, the comment is written", [recordPermission], deployedComment, []],
      ["pull_requests, the record is written", [commentPermission], /^$/, ["success"]],
      ["contents, only the preflight is left out", [], deployedComment, ["success"]],
    ])("such as %s", async (what, warnings, comment, states) => {
      const permissions = { [what.split(",")[0] ?? ""]: "none", issues: "none" } as const;
      const github = { permissions, hidesMissingPermission: isHidden };
      const scenario = await startScenario({ ...immediate, github });
      scenario.open();

      const run = await scenario.preview("opened");

      expectUnaffected(run, ...warnings);
      expect(commentOf7(scenario)).toMatch(comment);
      expect(newestStates(scenario)).toEqual(states);
    });
  },
);

test("without the permissions to write, record and comment are warnings", async () => {
  const { github, open, preview } = await startScenario(immediate);
  github.permissions = { contents: "read", deployments: "read", issues: "read", pull_requests: "read" };
  open();

  expectUnaffected(await preview("opened"), recordPermission, commentPermission);
});

test.each(["opened", "closed"])("an empty token means no requests and one warning (%s)", async (action) => {
  const { open, preview, shut } = await startScenario(immediate);
  open();
  if (action === "closed") shut();

  const run = await preview(action, { inputs: { github_token: "" } });

  expect(run.succeeded).toBe(true);
  expect(run.warnings).toEqual([
    expect.stringMatching(/^github_token is empty: this run writes nothing to GitHub/),
  ]);
  expect(run.github).toEqual([]);
});

test("an unknown token is one warning, which names it", async () => {
  const { open, preview } = await startScenario(immediate);
  open();

  expectUnaffected(await preview("opened", { inputs: { github_token: "ghs_unknown" } }), "github_token");
});

describe("if GitHub recovers", () => {
  const lost = (path: string): GitHubFault => ({
    kind: "reset",
    match: { method: "POST", path },
    applied: true,
  });

  test.each<[string, GitHubFault, number, string[]]>([
    ["responds again", answer(always, 503), 20, [recordPermission, commentPermission]],
    ["did not take a status", answer("POST /statuses$", 502), 90, []],
    ["did not show records", answer("GET /deployments$", 502, { from: 2, times: 3 }), 90, [recordPermission]],
    ["lost its response to the comment", lost("/comments$"), 90, [commentPermission]],
    ["lost its response to the record", lost("/deployments$"), 90, [recordPermission]],
  ])(
    "after it %s, there is one record and one comment with the end",
    async (_what, fault, until, warnings) => {
      const scenario = await startScenario({ statusSeconds: 5 });
      scenario.open();
      scenario.clock.at(until * 1000, scenario.github.fail(fault));

      const run = await scenario.preview("opened");

      expectUnaffected(run, ...warnings);
      expect(newestStates(scenario)).toEqual(["success"]);
      expect(scenario.github.deployments(taskOf7)).toMatchObject([
        { payload: { revision_id: run.outputs.revision_id } },
      ]);
      expect(scenario.github.comments(7)).toHaveLength(1);
      expect(commentOf7(scenario)).toMatch(deployedComment);
      expect(run.state).toEqual({ record: "", comment: "", unfinished: "", outcome: "deployed" });
    },
  );

  test("a rate limit that is over before the end of the run lets the end be written", async () => {
    const scenario = await startScenario({ statusSeconds: 60 });
    scenario.open();
    const body = { message: "You have exceeded a secondary rate limit." };
    scenario.github.fail(answer("POST /deployments$", 403, { headers: { "retry-after": "200" }, body }));

    const run = await scenario.preview("opened");

    expectUnaffected(run, "GitHub limits");
    expect(newestStates(scenario)).toEqual(["success"]);
    expect(commentOf7(scenario)).toMatch(deployedComment);
  });
});
