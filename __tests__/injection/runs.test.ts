import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { HostileAnswer } from "./support/hostile-platform.ts";
import { expectHarmless, hostileRuns, outputsOf, times } from "./support/hostile-runs.ts";
import { hostileText, hostileValue } from "./support/hostile-text.ts";

const hostile = hostileRuns();

const answers = { list: "GET /v2/deployments", create: "POST /v2/deployments" };

const noDeployments: HostileAnswer = { status: 200, body: { resources: [], offset: 0 } };

describe("whatever the platform says, its words do nothing in", () => {
  test("a refusal", async () => {
    const loc = fc.array(fc.oneof(hostileText, fc.integer()), { maxLength: 3 });
    const item = fc.record({ loc, msg: hostileText, type: hostileText });
    const body: fc.Arbitrary<unknown> = fc.oneof(
      fc.record({ detail: hostileText }),
      fc.record({ detail: fc.array(item, { minLength: 1, maxLength: 12 }) }),
      hostileText,
      hostileText.map((text) => `<html><body><p>${text}</p></body></html>`),
      fc.record({ error: hostileText }),
    );
    // What is asked again after an answer takes many requests.
    const status = fc.oneof(
      { weight: 19, arbitrary: fc.constantFrom(301, 308, 400, 401, 403, 404, 413, 418, 422) },
      { weight: 1, arbitrary: fc.constantFrom(409, 429, 500, 503) },
    );
    await fc.assert(
      fc.asyncProperty(status, body, fc.boolean(), hostileText, async (code, words, onList, location) => {
        const refusal = {
          status: code,
          body: words,
          headers: { location: encodeURI(location.toWellFormed()) },
        };
        hostile.serve((line) => {
          if (line === answers.list) return onList ? refusal : noDeployments;
          return line === answers.create ? refusal : undefined;
        });
        const step = await hostile.run("deploy");
        expect(step.succeeded).toBe(false);
        expectHarmless(step);
      }),
      times(30),
    );
  });

  test("the life of a revision", async () => {
    const url = fc.oneof(
      hostileText,
      hostileText.map((text) => `https://agent.example.com/${text}`),
      hostileText.map((text) => `https://${text}/`),
      hostileText.map((text) => `javascript:${text}`),
    );
    const life = fc.record({
      id: hostileValue,
      revision: hostileValue,
      name: hostileText,
      url,
      statuses: fc.array(hostileText, { maxLength: 5 }),
      end: fc.oneof(
        fc.constant("DEPLOYED"),
        hostileText.map((text) => `${text} FAILED`),
      ),
      message: hostileText,
      active: fc.option(hostileValue),
      seen: fc.record({ repo_ref: hostileText, app_config_path: hostileText, repo_commit_sha: hostileText }),
    });
    await fc.assert(
      fc.asyncProperty(life, async (given) => {
        const statuses = [...given.statuses, given.end];
        const deployment = {
          id: given.id,
          name: given.name,
          url: given.url,
          status: given.message,
          latest_revision_id: given.revision,
          active_revision_id: given.active,
        };
        const revision = () => ({
          id: given.revision,
          status: statuses.length > 1 ? statuses.shift() : statuses[0],
          status_message: given.message,
          source_revision_config: given.seen,
        });
        hostile.serve((line) => {
          if (line === answers.list) return noDeployments;
          // Of another name it would be no answer to the create.
          if (line === answers.create) return { status: 201, body: { ...deployment, name: "agent" } };
          return { status: 200, body: line.includes("/revisions") ? revision() : deployment };
        });
        const step = await hostile.run("deploy", { timeout_seconds: "120" });
        expectHarmless(step);
        expect(outputsOf(step).deployment_id).toBe(given.id);
      }),
      times(30),
    );
  });

  test("the log of a build that failed", async () => {
    const entry = fc.oneof(
      hostileText,
      fc.record({ timestamp: hostileText, level: hostileText, message: hostileText }),
      fc.record({ message: fc.array(hostileText, { maxLength: 4 }).map((lines) => lines.join("\n")) }),
      fc.dictionary(hostileText, hostileText),
    );
    const failure = fc.record({ entries: fc.array(entry, { maxLength: 8 }), message: hostileText });
    await fc.assert(
      fc.asyncProperty(failure, async ({ entries, message }) => {
        const revision = "/v2/deployments/deployment-1/revisions/revision-1";
        const bodies: Readonly<Record<string, unknown>> = {
          [answers.list]: { resources: [] },
          [answers.create]: { id: "deployment-1", latest_revision_id: "revision-1" },
          [`GET ${revision}`]: { id: "revision-1", status: "BUILD_FAILED", status_message: message },
          [`GET ${revision}/logs`]: { logs: entries },
        };
        hostile.serve((line) => ({ status: line in bodies ? 200 : 404, body: bodies[line] ?? {} }));
        const step = await hostile.run("deploy", { platform: "langsmith" });
        expect(outputsOf(step).status).toBe("BUILD_FAILED");
        expectHarmless(step);
      }),
      times(30),
    );
  });

  test("a deployment that is found", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (repoUrl, revision) => {
        const deployment = { id: "deployment-1", name: "agent", source_config: { repo_url: repoUrl } };
        hostile.serve((line) => {
          if (line === answers.list) return { status: 200, body: { resources: [deployment] } };
          if (line.endsWith("/revisions"))
            return { status: 200, body: { resources: [{ id: revision, status: "x" }] } };
          return { status: 200, body: deployment };
        });
        const step = await hostile.run("deploy");
        expect(step.succeeded).toBe(false);
        expectHarmless(step);
      }),
      times(30),
    );
  });
});

describe("whatever the workflow says, it does nothing in", () => {
  const text = hostileText.map((value) => value.replaceAll("\0", "").toWellFormed());

  test("the plan that a dry run shows", async () => {
    hostile.serve((line) => (line === answers.list ? noDeployments : undefined));
    const inputs = fc.record({
      name: text,
      repo_ref: text,
      app_config_path: text,
      image_uri: text,
      custom_url: text,
      deployment_type: text,
      resource_spec: fc.dictionary(text, text).map((spec) => JSON.stringify(spec)),
      environment: text,
    });
    await fc.assert(
      fc.asyncProperty(inputs, async (given) => {
        expectHarmless(await hostile.run("deploy", { ...given, dry_run: "true" }));
      }),
      times(30),
    );
  });

  test("inputs that are wrong", async () => {
    const names = [
      ..."control_plane_url workspace_id wait timeout_seconds build_on_push resource_spec secrets".split(" "),
      ..."platform region on_cancel request_timeout_seconds source repo_url".split(" "),
    ];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), text, { minKeys: 1 }), async (given) => {
        hostile.serve(() => ({ status: 500, body: "no" }));
        const step = await hostile.run("deploy", { ...given, secrets: `${given.secrets ?? ""}\n!` });
        expect(step.succeeded).toBe(false);
        expectHarmless(step, "any");
      }),
      times(30),
    );
  });

  test("the run's own variables", async () => {
    const variables = fc.record({
      GITHUB_REF: text.map((ref) => `refs/heads/${ref}`),
      GITHUB_HEAD_REF: fc.oneof(fc.constant(""), text),
      GITHUB_EVENT_NAME: text,
      GITHUB_ACTOR: text,
    });
    await fc.assert(
      fc.asyncProperty(variables, fc.constantFrom("deploy", "preview"), async (given, action) => {
        hostile.serve((line) => (line === answers.list ? noDeployments : { status: 400, body: "no" }));
        const step = await hostile.run(action, {}, given);
        expect(step.succeeded).toBe(false);
        expectHarmless(step);
      }),
      times(30),
    );
  });
});
