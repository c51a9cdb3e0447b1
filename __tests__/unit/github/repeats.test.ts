import { afterEach, expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { GitHub } from "../../../src/github/client.ts";
import { GitHubError } from "../../../src/github/errors.ts";
import { type GitHubFault, type GitHubStandIn, startGitHub } from "../../support/github/github-stand-in.ts";
import { type RecordingContext, recordingContext } from "../../support/recording-context.ts";
import { defaultToken } from "../../support/runner/run-action.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

interface Setting {
  readonly standIn: GitHubStandIn;
  readonly github: GitHub;
  readonly context: RecordingContext;
  readonly clock: VirtualClock;
}

const started: GitHubStandIn[] = [];

afterEach(async () => {
  for (const standIn of started.splice(0)) await standIn.close();
});

/** `requestTimeoutMs`: real time. */
async function startSetting(requestTimeoutMs = 30_000): Promise<Setting> {
  const clock = new VirtualClock();
  const standIn = await startGitHub({ now: () => clock.now() });
  started.push(standIn);
  standIn.pullRequests.open({ number: 7 });
  const context = recordingContext({ ...standIn.env }, clock);
  const repository = standIn.repository.fullName;
  return {
    standIn,
    context,
    clock,
    github: new GitHub({ token: defaultToken, repository, requestTimeoutMs }, context),
  };
}

const always = { times: "always" } as const;

function answer(status: number, more: Partial<Extract<GitHubFault, { kind: "answer" }>> = {}): GitHubFault {
  return { kind: "answer", status, ...more };
}

/** Milliseconds between one request and the next. */
function pauses({ standIn }: Setting): number[] {
  const times = standIn.requests.map(({ at }) => at);
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}

test.each<[string, GitHubFault]>([
  ["a 408", answer(408)],
  ["a 500", answer(500, { body: "<html>oops</html>" })],
  ["a 502", answer(502)],
  ["a 503", answer(503)],
  ["a reset", { kind: "reset" }],
  ["half an answer", { kind: "cut" }],
])("a read that met %s twice is repeated after a second or two each", async (_what, fault) => {
  const setting = await startSetting();
  setting.standIn.fail({ ...fault, match: { times: 2 } });
  expect(await setting.github.repository.pullRequest(7)).toEqual({ open: true, labels: [] });
  expect(setting.github.calls).toBe(3);
  expect(pauses(setting)).toEqual([1500, 1500]);
  const lines = setting.context.recorded.lines.filter(({ kind }) => kind === "info");
  expect(lines).toHaveLength(2);
  expect(lines[0]?.text).toMatch(/^GitHub: reading the pull request failed.* Trying again in \d/);
});

test("so is GraphQL's", async () => {
  const { standIn, github } = await startSetting();
  standIn.fail(answer(502, { match: { path: "/graphql$", times: 2 } }));
  expect(await github.viewer("readRecords")).toBe("github-actions[bot]");
});

test("so is each page of a list", async () => {
  const { standIn, github } = await startSetting();
  standIn.fail({ kind: "reset", match: { path: "/comments$", times: 2 } });
  expect(await github.comments.list(7)).toEqual([]);
});

test.each<[string, GitHubFault, number]>([
  ["three times is told", answer(502, { match: { times: 3 } }), 3],
  ["with a 403 isn't repeated", answer(403, { match: { times: 1 } }), 1],
  ["with a 404 isn't repeated", answer(404, { match: { times: 1 } }), 1],
  ["with nonsense isn't repeated", answer(200, { match: { times: 1 }, body: { what: "?" } }), 1],
  [
    "with a redirect to another host isn't repeated",
    answer(302, { match: { times: 1 }, headers: { location: "http://elsewhere.example/" } }),
    1,
  ],
])("a read that fails %s", async (_what, fault, requests) => {
  const { standIn, github } = await startSetting();
  standIn.fail(fault);
  await expect(github.repository.pullRequest(7)).rejects.toThrow(GitHubError);
  expect(standIn.requests).toHaveLength(requests);
});

test("nor is one of GraphQL's that was answered with nonsense", async () => {
  const { standIn, github } = await startSetting();
  const headers = { "content-type": "application/json" };
  standIn.fail(answer(200, { match: { times: 1 }, headers, body: "null" }));
  await expect(github.viewer("readRecords")).rejects.toThrow(GitHubError);
  expect(standIn.requests).toHaveLength(1);
});

test("one that got no answer in its time isn't repeated", async () => {
  const { standIn, github } = await startSetting(100);
  standIn.fail({ kind: "hang" });
  await expect(github.repository.pullRequest(7)).rejects.toThrow("no answer in time");
  expect(standIn.requests).toHaveLength(1);
});

test("a write isn't repeated", async () => {
  const { standIn, github } = await startSetting();
  standIn.fail(answer(502));
  await expect(github.comments.create(7, "text")).rejects.toThrow("502");
  expect(standIn.requests).toHaveLength(1);
});

test("nothing is repeated after a cancel", async () => {
  const { standIn, github, context } = await startSetting();
  context.cancel(new CancelledError("SIGINT"));
  standIn.fail(answer(502, { match: always }));
  await expect(github.repository.pullRequest(7)).rejects.toThrow("502");
  expect(standIn.requests).toHaveLength(1);
});

test("a cancel ends the pause, and the read fails as it did", async () => {
  const { standIn, github, context, clock } = await startSetting();
  clock.at(500, () => context.cancel(new CancelledError("SIGINT")));
  standIn.fail(answer(502, { match: always }));
  await expect(github.repository.pullRequest(7)).rejects.toThrow("502");
  expect(standIn.requests).toHaveLength(1);
  expect(clock.elapsed()).toBe(500);
});

test("a pause that GitHub asks for is kept", async () => {
  const setting = await startSetting();
  setting.standIn.fail(answer(503, { headers: { "retry-after": "60" } }));
  await setting.github.repository.pullRequest(7);
  expect(pauses(setting)).toEqual([60_000]);
});

test("for one of more than a minute GitHub isn't asked again", async () => {
  const { standIn, github, clock } = await startSetting();
  standIn.fail(answer(503, { headers: { "retry-after": "61" } }));
  await expect(github.repository.pullRequest(7)).rejects.toThrow("503");
  expect([standIn.requests.length, clock.elapsed()]).toEqual([1, 0]);
});

test("while GitHub is down, what follows isn't repeated", async () => {
  const { standIn, github } = await startSetting();
  standIn.fail(answer(502, { match: always }));
  await expect(github.viewer("readRecords")).rejects.toThrow("502");
  await expect(github.repository.pullRequest(7)).rejects.toThrow("502");
  expect(standIn.requests).toHaveLength(4);
});

test.each<[string, GitHubFault | undefined, (github: GitHub) => Promise<unknown>]>([
  ["answered a read", undefined, (github) => github.viewer("readRecords")],
  ["taken a write", undefined, (github) => github.comments.create(7, "text")],
  ["refused something", answer(404), (github) => github.viewer("readRecords")],
])("reads are repeated again once it has %s", async (_what, fault, call) => {
  const { standIn, github } = await startSetting();
  standIn.fail(answer(502, { match: { times: 3 } }));
  await expect(github.repository.pullRequest(7)).rejects.toThrow("502");
  const heal = fault && standIn.fail(fault);
  await github.tolerate(() => call(github));
  heal?.();
  standIn.fail(answer(502, { match: { times: 2 } }));
  expect(await github.repository.pullRequest(7)).toEqual({ open: true, labels: [] });
});
