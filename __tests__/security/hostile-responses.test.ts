import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { removeInvisible } from "../../src/text/sanitize.ts";
import { expectHarmless, outputsOf } from "./support/expectations.ts";
import { forAny } from "./support/for-any.ts";
import { byLine, ok, startHostilePlatform } from "./support/hostile-servers.ts";
import { hostileId, hostileStatuses, hostileText, hostileValue } from "./support/hostile-text.ts";

const list = /^GET .v2.deployments$/;
const create = /^POST .v2.deployments$/;
const noDeployments = ok({ resources: [], offset: 0 });

describe("the platform's words do nothing in the log, the outputs and the summary if they come from", () => {
  test("a refusal", async () => {
    const platform = await startHostilePlatform();
    const loc = fc.array(fc.oneof(hostileText, fc.integer()), { maxLength: 3 });
    const item = fc.record({ loc, msg: hostileText, type: hostileText });
    const bodies: fc.Arbitrary<unknown> = fc.oneof(
      fc.record({ detail: hostileText }),
      fc.record({ detail: fc.array(item, { minLength: 1, maxLength: 12 }) }),
      hostileText,
      hostileText.map((text) => `<html><body><p>${text}</p></body></html>`),
      fc.record({ error: hostileText }),
    );
    // Statuses after which nothing is retried.
    const statuses = fc.constantFrom(301, 400, 401, 403, 404, 413, 422);
    const locations = hostileText.map((text) => encodeURI(text.toWellFormed()));

    await forAny(4, [statuses, bodies, fc.boolean(), locations], async (status, body, onList, location) => {
      const refusal = { status, body, headers: { location } };
      platform.respond = byLine([list, onList ? refusal : noDeployments], [/^/, refusal]);
      const step = await platform.run("deploy");

      expect(step.succeeded).toBe(false);
      expectHarmless(step);
    });
  });

  test("the deployment and its revision", async () => {
    const platform = await startHostilePlatform();
    const urls = fc.oneof(
      hostileText,
      hostileText.map((text) => `https://agent.example.com/${text}`),
      hostileText.map((text) => `https://${text}/`),
      hostileText.map((text) => `javascript:${text}`),
    );
    const lives = fc.record({
      id: hostileId,
      revision: hostileId,
      name: hostileText,
      url: urls,
      status: hostileStatuses,
      message: hostileText,
      active: fc.option(hostileValue),
      source: fc.record({
        repo_ref: hostileText,
        app_config_path: hostileText,
        repo_commit_sha: hostileText,
      }),
    });

    await forAny(4, [lives], async ({ id, revision, name, url, status, message, active, source }) => {
      const deployment = {
        ...{ id, name, url, status: message },
        ...{ latest_revision_id: revision, active_revision_id: active },
      };
      const shown = { id: revision, status_message: message, source_revision_config: source };
      platform.respond = byLine(
        [list, noDeployments],
        // A response to the create with another name would be refused.
        [create, ok({ ...deployment, name: "agent" })],
        [/revisions/, () => ok({ ...shown, status: status() })],
        [/^/, ok(deployment)],
      );
      const step = await platform.run("deploy", { timeout_seconds: "120" });

      expectHarmless(step);
      expect(outputsOf(step).deployment_id).toBe(id);
    });
  });

  test("the revisions of a rollback", async () => {
    const platform = await startHostilePlatform();
    const histories = fc.record({
      ids: fc.tuple(hostileId, hostileId, hostileId),
      status: fc.constantFrom("DEPLOYED", "BUILDING", "x FAILED"),
      commits: fc.tuple(hostileText, hostileText),
      detail: hostileText,
      isRefused: fc.boolean(),
    });

    await forAny(4, [histories], async ({ ids, status, commits, detail, isRefused }) => {
      const [live, before, made] = ids;
      const revision = (id: string, commit: string, as = "DEPLOYED") => ({
        ...{ id, status: as, status_message: detail },
        source_revision_config: { repo_ref: detail, repo_commit_sha: commit },
      });
      const deployment = { id: "d", name: "agent", active_revision_id: live, latest_revision_id: made };
      const history = [revision(live, commits[0]), revision(before, commits[0])];
      platform.respond = byLine(
        [/deployments$/, ok({ resources: [deployment] })],
        [/revisions$/, ok({ resources: history })],
        [/^POST/, isRefused ? { status: 404, body: { detail } } : ok(deployment)],
        [/revisions\//, ok(revision(made, commits[1], status))],
        [/^/, ok(deployment)],
      );
      const step = await platform.run("rollback", { timeout_seconds: "120" });

      expectHarmless(step);
    });
  });

  test.each(["failure", "live"])("the log of a build that failed, with build_log: %s", async (build_log) => {
    const platform = await startHostilePlatform();
    const entry = fc.oneof(
      hostileText,
      fc.record({ id: hostileText, timestamp: hostileText, level: hostileText, message: hostileText }),
      fc.record({ message: fc.array(hostileText, { maxLength: 4 }).map((lines) => lines.join("\n")) }),
      fc.dictionary(hostileText, hostileText),
    );

    await forAny(3, [fc.array(entry, { maxLength: 8 }), hostileText], async (logs, message) => {
      platform.respond = byLine(
        [list, noDeployments],
        [create, ok({ id: "d", latest_revision_id: "r" })],
        [/revisions.r$/, ok({ id: "r", status: "BUILD_FAILED", status_message: message })],
        [/revisions.r.logs$/, ok({ logs, next_offset: message })],
      );
      const step = await platform.run("deploy", { platform: "langsmith", build_log });

      expect(outputsOf(step).status).toBe("BUILD_FAILED");
      expectHarmless(step);
    });
  });

  test("the deployed agent", async () => {
    const platform = await startHostilePlatform();
    const url = `${platform.url}/agent`;
    const revision = { id: "r", status: "DEPLOYED" };
    const deployment = { id: "d", name: "agent", url, latest_revision_id: "r" };
    const said: fc.Arbitrary<unknown> = fc.oneof(
      hostileText,
      hostileText.map((text) => `<html><body><p>${text}</p></body></html>`),
      fc.record({ detail: hostileText }),
      fc.record({ __error__: fc.record({ error: hostileText, message: hostileText }) }),
      fc.record({ host: fc.record({ host_revision_id: hostileValue }) }),
      fc.record({ a: fc.dictionary(hostileText, hostileText) }),
    );
    const response = fc.record({
      status: fc.constantFrom(200, 200, 302, 404, 503),
      body: said,
      headers: fc.record({ location: hostileText.map((text) => encodeURI(text.toWellFormed())) }),
    });
    const smoke = hostileText.map((text) => {
      const test = { name: `x${text}`, expect: { contains: "nothing like it", json: { "/a": text } } };
      return [
        { ...test, graph: `g${text}`, input: {} },
        { ...test, request: "GET /x" },
      ];
    });
    const checks = fc.oneof(
      fc.constant({ health_check_path: "/ok" }),
      fc.constant({ serving_check: "require" }),
      smoke.map((tests) => ({ serving_check: "off", smoke_tests: JSON.stringify(tests) })),
    );

    await forAny(4, [response, checks], async (agent, inputs) => {
      platform.respond = byLine(
        [/ .agent./, agent],
        [list, noDeployments],
        [/revisions$/, ok({ resources: [revision] })],
        [/revisions/, ok(revision)],
        [/^/, ok(deployment)],
      );
      const step = await platform.run("deploy", { health_check_timeout_seconds: "1", ...inputs });

      expect(outputsOf(step).revision_id).toBe("r");
      expectHarmless(step);
    });
  });

  test("a deployment of another repository", async () => {
    const platform = await startHostilePlatform();

    await forAny(3, [hostileText, hostileText], async (repo_url, id) => {
      const deployment = { id: "d", name: "agent", source_config: { repo_url } };
      platform.respond = byLine(
        [list, ok({ resources: [deployment] })],
        [/revisions$/, ok({ resources: [{ id, status: "x" }] })],
        [/^/, ok(deployment)],
      );
      const step = await platform.run("deploy");

      expect(step.succeeded).toBe(false);
      expectHarmless(step);
    });
  });

  test("a usage report", async () => {
    const platform = await startHostilePlatform();
    const item = fc.record({
      time_bucket: fc.oneof(hostileText, fc.constant("2026-02-01T00:00:00Z")),
      dimensions: fc.record({ workspace_id: hostileText, workspace_name: hostileText, user_id: hostileText }),
      traces: fc.integer({ min: 0, max: 1_000_000 }),
    });

    await forAny(3, [fc.array(item, { maxLength: 6 }), hostileText], async (usage, detail) => {
      platform.respond = byLine(
        [/export$/, { status: 403, body: { detail } }],
        [/^/, ok({ stride: { days: 1, hours: 0 }, usage })],
      );
      const step = await platform.run("usage", {
        base_url: platform.url,
        workspace_ids: "11111111-1111-4111-8111-111111111111",
        csv_file: "/nonexistent/usage.csv",
      });

      expectHarmless(step);
      expect(outputsOf(step).total_traces).toBe(String(usage.reduce((sum, { traces }) => sum + traces, 0)));
    });
  });

  test("an OAuth provider", async () => {
    const platform = await startHostilePlatform();
    const texts =
      "id organization_id provider_id name client_id auth_url token_url code_challenge_method created_at updated_at";
    const fields = texts.split(" ").map((name) => [name, hostileValue]);
    const providers = fc.record({ ...Object.fromEntries(fields), uses_pkce: fc.boolean() });

    await forAny(3, [providers, fc.constantFrom("id", "provider_id")], async (shown, ownId) => {
      // A response that shows neither id is refused.
      const body = { ...shown, [ownId]: "local-provider" };
      platform.respond = () => ok(body);
      const inputs = { name: "", provider_id: "local-provider", client_secret: "a-new-secret" };
      const step = await platform.run("oauth-provider", inputs);

      expect(step.succeeded).toBe(true);
      expectHarmless(step, "any");
      const visible = (_name: string, value: unknown) =>
        typeof value === "string" ? removeInvisible(value) : value;
      expect(JSON.parse(outputsOf(step).provider ?? "")).toEqual(JSON.parse(JSON.stringify(body, visible)));
    });
  });
});
