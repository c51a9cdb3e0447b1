import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { actionsLogin } from "../support/github/github-stand-in.ts";
import { outsideCode } from "../unit/support/rendered.ts";
import { expectInert } from "./support/expectations.ts";
import { hostilePreviews } from "./support/hostile-previews.ts";
import { outputsOf, times } from "./support/hostile-runs.ts";
import { hostileText, hostileValue } from "./support/hostile-text.ts";

const { hostile, github, inputs, preview, expectHarmless } = hostilePreviews();
const task = "preview:octo-repo-pr-7";
let runs = 0;

test("whatever the platform says of a preview, its words do nothing in comment and record", async () => {
  const life = fc.record({
    id: hostileValue,
    revision: hostileValue,
    url: hostileText.map((path) => `https://agent.example.com/${path}`),
    statuses: fc.array(hostileText, { maxLength: 6 }),
    end: fc.oneof(
      fc.constant("DEPLOYED"),
      hostileText.map((words) => `${words} FAILED`),
    ),
    message: hostileText,
  });
  await fc.assert(
    fc.asyncProperty(life, async ({ id, revision, url, statuses, end, message }) => {
      const left = [...statuses, end];
      const environment = `Preview ${++runs}`;
      const deployment = { id, name: "octo-repo-pr-7", url, latest_revision_id: revision };
      hostile.serve((line) => {
        if (line === "GET /v2/deployments") return { status: 200, body: { resources: [] } };
        if (line === "POST /v2/deployments") return { status: 201, body: deployment };
        if (!line.includes("/revisions")) return { status: 200, body: deployment };
        const status = left.length > 1 ? left.shift() : left[0];
        return { status: 200, body: { id: revision, status, status_message: message } };
      });
      const step = await preview("synchronize", { environment, timeout_seconds: "60" });
      expectHarmless(step);
      const comments = github().comments(7);
      expect(comments).toHaveLength(1);
      const [comment] = comments;
      expectInert(comment?.body ?? "", outputsOf(step).deployment_url);
      expect(outsideCode(comment?.body ?? "").match(/<!--/g)).toHaveLength(1);
      const record = github()
        .deployments(task)
        .find((one) => one.environment === environment);
      expect(record?.payload).toMatchObject({
        deployment_id: id,
        revision_id: revision,
      });
      for (const status of record?.statuses ?? []) {
        expect(status.description).not.toMatch(/[\p{Cc}\p{Cf}\p{DI}]/u);
        expect(status.environmentUrl).toMatch(/^$|^https:\/\/agent\.example\.com\//);
      }
    }),
    times(10),
  );
});

test("whatever GitHub says, its words do nothing in the log", async () => {
  hostile.serve((line) => {
    if (line === "GET /v2/deployments") return { status: 200, body: { resources: [] } };
    return { status: 400, body: { detail: "no" } };
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(400, 403, 404, 422, 502), hostileText, async (status, message) => {
      const heal = github().fail({ kind: "answer", match: { times: "always" }, status, body: { message } });
      const step = await preview("opened");
      heal();
      expectHarmless(step);
    }),
    times(10),
  );
});

test("whatever a pull request says, it does nothing in the log", async () => {
  hostile.serve(() => ({ status: 400, body: { detail: "no" } }));
  const text = hostileText.map((words) => words.replaceAll("\0", "").toWellFormed());
  const changes = fc.record({
    own: fc.boolean(),
    action: text,
    label: text,
    branch: text,
    author: text,
    repository: text,
    given: text,
  });
  await fc.assert(
    fc.asyncProperty(changes, async ({ own, action, label, branch, author, repository, given }) => {
      const payload = {
        action: own ? "labeled" : action,
        label: { name: label },
        pull_request: {
          number: 7,
          state: "open",
          title: label,
          user: { login: author },
          head: {
            sha: "c".repeat(40),
            ref: branch,
            repo: { full_name: own ? "octo-org/octo-repo" : repository },
          },
          labels: [{ name: label }],
        },
      };
      const step = await preview("opened", { label: own ? label : given, name: given }, { branch, payload });
      expectHarmless(step);
    }),
    times(25),
  );
});

test("whatever a record says, it does nothing in what a sweep tells", async () => {
  hostile.serve((line) => (line.startsWith("DELETE") ? { status: 400, body: { detail: "no" } } : undefined));
  await fc.assert(
    fc.asyncProperty(fc.array(hostileText, { minLength: 1, maxLength: 4 }), async (names) => {
      const environment = `sweep ${++runs}`;
      for (const name of new Set(names.map((text) => text.toWellFormed()))) {
        const payload = { name, deployment_id: name, revision_id: "1", pull_request: 7 };
        const record = { ref: "main", task: `preview:${name}`, environment, payload, required_contexts: [] };
        github().records.add(record, actionsLogin);
      }
      github().pullRequests.change(7, { state: "closed" });
      const step = await hostile.run("sweep", { ...inputs, environment }, github().env);
      github().pullRequests.change(7, { state: "open" });
      expectHarmless(step);
      const { deleted = "", kept = "" } = outputsOf(step);
      const told = [...JSON.parse(deleted), ...JSON.parse(kept)];
      for (const name of told) expect(names.map((text) => text.toWellFormed())).toContain(name);
    }),
    times(10),
  );
});
