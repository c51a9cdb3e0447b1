import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { answer } from "../support/faults.ts";
import { actionsLogin } from "../support/github/github-stand-in.ts";
import { previewOf7, sha, taskOf7 } from "../support/scenario.ts";
import { outsideCode } from "../unit/support/rendered.ts";
import { expectHarmless, expectInert, outputsOf } from "./support/expectations.ts";
import { forAny } from "./support/for-any.ts";
import {
  apiKey,
  byLine,
  githubToken,
  type HostilePreviews,
  ok,
  startHostilePreviews,
} from "./support/hostile-servers.ts";
import { hostileId, hostileStatuses, hostileText } from "./support/hostile-text.ts";
import type { Step } from "./support/step.ts";

const masks = [apiKey, githubToken];

type Fields = Readonly<Record<string, unknown>>;

/** Lets a preview be created with this response, and then shows its revision. */
function servePreview(deployment: Fields, revision: () => Fields, logs: readonly string[] = []) {
  return byLine(
    [/_logs$/, ok({ logs })],
    [/^GET .v2.deployments$/, ok({ resources: [] })],
    [/revisions/, () => ok(revision())],
    [/^/, ok(deployment)],
  );
}

test("the platform's words do nothing in the comment and the record of a preview", async () => {
  const platform = await startHostilePreviews();
  const { github, preview } = platform;
  const lives = fc.record({
    id: hostileId,
    revision: hostileId,
    url: hostileText.map((path) => `https://agent.example.com/${path}`),
    status: hostileStatuses,
    message: hostileText,
    logs: fc.array(hostileText, { maxLength: 4 }),
  });
  let runs = 0;

  await forAny(3, [lives], async ({ id, revision, url, status, message, logs }) => {
    const environment = `Preview ${++runs}`;
    const deployment = { id, name: previewOf7, url, latest_revision_id: revision };
    const shown = () => ({ id: revision, status: status(), status_message: message });
    platform.respond = servePreview(deployment, shown, logs);
    const inputs = { environment, platform: "langsmith", timeout_seconds: "60" };
    const step = await preview("synchronize", inputs);

    expectHarmless(step, masks);
    const [{ body } = { body: "" }, ...others] = github.comments(7);
    expect(others).toEqual([]);
    expectInert(body, outputsOf(step).deployment_url);
    expect(outsideCode(body).match(/<!--/g)).toHaveLength(1);
    const record = github.deployments(taskOf7).find((one) => one.environment === environment);
    expect(record?.payload).toMatchObject({ deployment_id: id, revision_id: revision });
    for (const { description, environmentUrl } of record?.statuses ?? []) {
      expect(description).not.toMatch(/[\p{Cc}\p{Cf}\p{DI}]/u);
      expect(environmentUrl).toMatch(/^$|^https:\/\/agent\.example\.com\//);
    }
  });
});

test("GitHub's words do nothing in the log and the summary of a preview", async () => {
  const { github, preview } = await startHostilePreviews();

  await forAny(3, [fc.constantFrom(400, 403, 404, 422, 502), hostileText], async (status, message) => {
    const heal = github.fail(answer("any", status, { body: { message }, times: "always" }));
    const step = await preview("opened");
    heal();

    expectHarmless(step, masks);
  });
});

test("the words of a pull request do nothing in the log and the summary of a preview", async () => {
  const { preview } = await startHostilePreviews();
  const text = hostileText.map((words) => words.replaceAll("\0", "").toWellFormed());
  const names = "action label branch author repository given".split(" ");
  const changes = fc.record(Object.fromEntries(names.map((name) => [name, text])));

  await forAny(3, [changes, fc.boolean()], async (change, isOwn) => {
    const { action, label = "", branch = "", author, repository, given = "" } = change;
    const pullRequest = {
      number: 7,
      state: "open",
      title: label,
      user: { login: author },
      head: { sha: sha("c"), ref: branch, repo: { full_name: isOwn ? "octo-org/octo-repo" : repository } },
      labels: [{ name: label }],
    };
    const payload = {
      action: isOwn ? "labeled" : action,
      label: { name: label },
      pull_request: pullRequest,
    };
    const step = await preview("opened", { label: isOwn ? label : given, name: given }, { branch, payload });

    expectHarmless(step, masks);
  });
});

test("the words of a record do nothing in the log and summary of a sweep", async () => {
  const { github, run } = await startHostilePreviews();
  const name = hostileText.map((text) => text.toWellFormed());
  let runs = 0;
  github.pullRequests.change(7, { state: "closed" });

  await forAny(3, [fc.uniqueArray(name, { minLength: 1, maxLength: 4 })], async (names) => {
    const environment = `sweep ${++runs}`;
    for (const each of names) {
      const payload = { name: each, deployment_id: each, revision_id: "1", pull_request: 7 };
      github.records.add({ ref: "main", task: `preview:${each}`, environment, payload }, actionsLogin);
    }
    const step = await run("sweep", { github_token: githubToken, environment }, github.env);

    expectHarmless(step, masks);
    const { deleted = "", kept = "" } = outputsOf(step);
    for (const shown of [...JSON.parse(deleted), ...JSON.parse(kept)]) expect(names).toContain(shown);
  });
});

describe("what a preview writes is as short as GitHub requires", () => {
  /** GitHub refuses longer ones, and cuts an annotation at 4,096 characters. */
  const max = { summaryBytes: 1024 * 1024, comment: 65_536, description: 140, line: 4096 };
  const endless = "A @long <b>text</b> ".repeat(8000);
  const deployment = { id: "deployment-1", name: previewOf7, latest_revision_id: "revision-1" };

  function expectFits(step: Step, { github }: HostilePreviews): void {
    expectHarmless(step, masks);
    expect(Buffer.byteLength(step.summary)).toBeLessThan(max.summaryBytes);
    const lines = [...step.log.lines, ...step.log.commands.map(({ data }) => data)];
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(max.line);
    for (const { body } of github.comments(7)) expect(body.length).toBeLessThan(max.comment);
    for (const { description } of github.deployments().flatMap(({ statuses }) => statuses)) {
      expect(description?.length).toBeLessThanOrEqual(max.description);
    }
  }

  let seen = 0;
  test.each<[string, Fields, () => Fields]>([
    ["a status", {}, () => ({ status: `${endless} FAILED`, status_message: endless })],
    ["statuses that differ in every response", {}, () => ({ status: `${++seen} ${"x".repeat(5000)}` })],
    [
      "ids",
      { id: endless.slice(0, 5000), latest_revision_id: endless.slice(0, 6000) },
      () => ({ status: "BUILD_FAILED" }),
    ],
    ["a URL", { url: `https://agent.example.com/${"a".repeat(200_000)}` }, () => ({ status: "DEPLOYED" })],
  ])("if the platform's text is long in %s", async (_where, fields, revision) => {
    const shown = { ...deployment, ...fields };
    const respond = servePreview(shown, () => ({ id: shown.latest_revision_id, ...revision() }));
    const platform = await startHostilePreviews(respond);

    const step = await platform.preview("opened", { timeout_seconds: "120" });

    expectFits(step, platform);
  });

  test.each<[string, number, unknown]>([
    ["the detail of a refusal", 400, endless],
    [
      "the items of a 422",
      422,
      Array(5000).fill({ loc: ["body", "x".repeat(400)], msg: endless.slice(0, 1000), type: "x" }),
    ],
  ])("if the platform's text is long in %s", async (_where, status, detail) => {
    const respond = byLine([/^GET/, ok({ resources: [] })], [/^/, { status, body: { detail } }]);
    const platform = await startHostilePreviews(respond);

    const step = await platform.preview("opened");

    expectFits(step, platform);
  });
});
