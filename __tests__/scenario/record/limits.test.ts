import { describe, expect, test } from "@jest/globals";
import { actionsLogin, type GitHubFault, type GitHubRequest } from "../../support/github/github-stand-in.ts";
import { type RecordedRun, sha, startPreviewScenario, taskOf7 } from "../../support/preview-scenario.ts";

/** Further pages not counted. */
function calls(requests: readonly GitHubRequest[]): number {
  return requests.filter(({ query }) => query.page === undefined || query.page[0] === "1").length;
}

function gapsBetweenWrites(requests: readonly GitHubRequest[]): number[] {
  const times = requests
    .filter(({ method, path }) => method !== "GET" && path !== "/graphql")
    .map(({ at }) => at);
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}

describe("a run of half an hour", () => {
  const slow = { emulator: { statusSeconds: 290 } };
  const inputs = { poll_interval_seconds: "60" };

  function expectModest(run: RecordedRun, mostCalls = 20): void {
    expect(run.took).toBeGreaterThan(1700);
    expect(run.outputs.outcome).toBe("deployed");
    expect(calls(run.github)).toBeLessThanOrEqual(mostCalls);
    expect(Math.min(...gapsBetweenWrites(run.github))).toBeGreaterThanOrEqual(1000);
  }

  test("that makes all there is", async () => {
    const { open, preview } = await startPreviewScenario(slow);
    open();
    expectModest(await preview("opened", { inputs }));
  });

  test("that replaces what was there", async () => {
    const { github, open, preview, push } = await startPreviewScenario(slow);
    open();
    for (const letter of ["a", "b"]) {
      push(sha(letter));
      await preview("synchronize", { inputs: { wait: "false" } });
    }
    push(sha("d"));
    expectModest(await preview("synchronize", { inputs }));
    expect(github.comments(7)).toHaveLength(1);
  });

  test("in which GitHub is down", async () => {
    const { github, open, preview } = await startPreviewScenario(slow);
    open();
    github.fail({ kind: "answer", status: 502, match: { times: "always" } });
    expectModest(await preview("opened", { inputs }));
  });

  test("in which GitHub stumbles whenever something new is read", async () => {
    const { github, open, preview } = await startPreviewScenario(slow);
    open();
    const reads = ["/contents/", "/graphql$", "/deployments$", "/comments$", "/pulls/"];
    for (const path of reads) github.fail({ kind: "answer", status: 502, match: { path, times: 2 } });
    expectModest(await preview("opened", { inputs }), 20 + 2 * reads.length);
  });

  test("that finds more to clean up than it should, over pages", async () => {
    const { github, open, preview } = await startPreviewScenario(slow);
    open();
    const payload = { deployment_id: "d", revision_id: "r", name: "octo-repo-pr-7" };
    for (let count = 0; count < 120; count += 1) {
      const { id } = github.records.add(
        { ref: "main", task: taskOf7, environment: "Preview", payload },
        actionsLogin,
      );
      github.allComments.add(7, `comment ${count}`, "octocat");
      if (count < 117) github.records.addStatus(id, { state: "inactive" }, actionsLogin);
    }
    const run = await preview("opened", { inputs });
    expectModest(run);
    expect(run.github.length).toBeGreaterThan(calls(run.github));
    expect(
      github.deployments(taskOf7).filter(({ statuses }) => statuses[0]?.state !== "inactive"),
    ).toHaveLength(1);
  });
});

describe("a rate limit", () => {
  const quick = { emulator: { statusSeconds: 0 } };
  const post = { method: "POST", path: "/deployments$" };
  const words = { message: "You have exceeded a secondary rate limit." };

  async function limited(fault: (now: number) => GitHubFault) {
    const scenario = await startPreviewScenario(quick);
    scenario.open();
    scenario.github.fail(fault(scenario.clock.now()));
    const run = await scenario.preview("opened");
    expect(run.outputs.outcome).toBe("deployed");
    const place = run.github.findIndex(({ status }) => status === 403 || status === 429);
    const refused = run.github[place];
    const next = run.github[place + 1];
    return { scenario, run, pauseMs: refused && next ? next.at - refused.at : undefined };
  }

  test.each([403, 429])(
    "with retry-after on a %d is waited out, and the request sent again",
    async (status) => {
      const { scenario, run, pauseMs } = await limited(() => ({
        kind: "answer",
        match: post,
        status,
        headers: { "retry-after": "30" },
        body: words,
      }));
      expect(pauseMs).toBeGreaterThanOrEqual(30_000);
      expect(run.warnings).toEqual([]);
      expect(scenario.github.deployments(taskOf7)).toHaveLength(1);
    },
  );

  test("in words alone is left in peace for a minute", async () => {
    const { run, pauseMs } = await limited(() => ({ kind: "answer", match: post, status: 403, body: words }));
    expect(pauseMs).toBeGreaterThanOrEqual(60_000);
    expect(run.warnings).toEqual([]);
  });

  test("without requests left until a moment is waited out too", async () => {
    const { run, pauseMs } = await limited((now) => ({
      kind: "answer",
      match: post,
      status: 403,
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.ceil(now / 1000) + 40) },
      body: words,
    }));
    expect(pauseMs).toBeGreaterThanOrEqual(35_000);
    expect(run.warnings).toEqual([]);
  });

  test("that lasts for an hour isn't: GitHub isn't asked again, and the deployment goes on", async () => {
    const { run, pauseMs } = await limited(() => ({
      kind: "answer",
      match: post,
      status: 403,
      headers: { "retry-after": "3600" },
      body: words,
    }));
    expect(pauseMs).toBeUndefined();
    expect(run.took).toBeLessThan(60);
    expect(run.warnings.join("\n")).toContain("limits how often");
    expect(new Set(run.warnings).size).toBe(run.warnings.length);
  });

  test("that is over before the end of the run lets the end be written", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 60 } });
    const { github, open, preview } = scenario;
    open();
    const headers = { "retry-after": "200" };
    github.fail({ kind: "answer", match: post, status: 403, headers, body: words });
    const run = await preview("opened");
    expect(run.outputs.outcome).toBe("deployed");
    expect(github.deployments(taskOf7)[0]?.statuses[0]?.state).toBe("success");
    expect(github.comments(7)[0]?.body).toContain("✅ deployed");
  });

  test("of a request that is refused again isn't waited out twice", async () => {
    const { run } = await limited(() => ({
      kind: "answer",
      match: { ...post, times: "always" },
      status: 403,
      headers: { "retry-after": "10" },
      body: words,
    }));
    expect(
      run.github.filter(({ method, path }) => method === "POST" && path.endsWith("/deployments")).length,
    ).toBeLessThanOrEqual(4);
  });
});
