import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { times } from "../support/times.ts";
import { expectHarmless } from "./support/expectations.ts";
import { githubToken, startHostilePlatform } from "./support/hostile-servers.ts";
import { hostileText } from "./support/hostile-text.ts";
import { eventFile } from "./support/step.ts";

const words = (text: string) => text.split(" ");

// Without credentials: the summary's own text would be redacted if it contained one.
const names = [
  ...words(
    "allow_http app_config_path auth_url breaking_changes build_on_push clear compare_with client_id label max_traces source",
  ),
  ...words("code_challenge_method comment csv_file custom_url deployment_id workspace_ids"),
  ...words("deployment_type dry_run end_time environment group_by health_check_path image_uri"),
  ...words("health_check_timeout_seconds integration_id json_file listener_id max_age_days platform name"),
  ...words("name_max_length on_cancel poll_interval_seconds production_environment provider_id region wait"),
  ...words("repo_ref repo_url request_timeout_seconds resource_spec revision_id rollback_on_failure"),
  ...words("smoke_tests start_time timeout_seconds token_url uses_pkce verify_commit workspace_id"),
];

/** Values that some input accepts, or nearly so. */
const known = [
  ...words("true FALSE 0 1 1e9 -1 0.5 86400 NaN .. % / a/ langsmith __proto__ constructor interrupt"),
  ...words("https://x.example/api-host/ https://[::1]:0/ https://a:b@c https:// 2026-02-30 user,workspace"),
  ...words("2026-01-05T10:00:00+99:99 +275760-09-13 11111111-1111-4111-8111-111111111111 name\nclient_id"),
  ...words('A=1\nB<<E\nx\nE A<<E = << A<<\n\n # {"A":"1","A":"2"} {"__proto__":"x"} { {} {"A":null} [1] "x"'),
  ...['{"A":{"B":"\\u0041"}}', `{"a":${"[".repeat(50)}${"]".repeat(50)}}`, "", " "],
];

/** Lists of smoke tests, or nearly so. */
const key = fc.constantFrom(
  ...words("name graph input request body expect status contains json << __proto__"),
);
const scalar = fc.oneof(
  hostileText,
  fc.constantFrom(...words("agent &a *a !!js | > '' .nan ~ 2020-01-01 { [")),
);
const yamlLine = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("", "- ", "? ", "- - "), key, scalar)
  .map(([depth, dash, name, value]) => `${"  ".repeat(depth)}${dash}${name}: ${value}`);
const yaml = fc.array(yamlLine, { maxLength: 12 }).map((lines) => lines.join("\n"));

const text = fc
  .oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 4, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: yaml },
  )
  // No variable of a process can hold these.
  .map((value) => value.replaceAll("\0", "").toWellFormed());

/** Enough for every action. Most runs replace some of it. */
const usual = {
  workspace_ids: "11111111-1111-4111-8111-111111111111",
  provider_id: "provider",
  github_token: githubToken,
  // Nothing is requested from GitHub or an agent here.
  source: "external_docker",
  image_uri: "example/app:1",
};

test("the words of any inputs and variables do nothing, and none is an internal error", async () => {
  const platform = await startHostilePlatform();
  const inputs = fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 5, noNullPrototype: true });
  const addresses = fc.record({ control_plane_url: text, base_url: text }, { requiredKeys: [] });
  const variables = fc.record({
    GITHUB_REF: text.map((ref) => `refs/heads/${ref}`),
    GITHUB_HEAD_REF: fc.oneof(fc.constant(""), text),
    GITHUB_REPOSITORY: fc.constantFrom("", "octo-org/octo-repo"),
    GITHUB_EVENT_NAME: fc.oneof(fc.constant("pull_request"), text),
    GITHUB_ACTOR: text,
  });
  const actions = fc.constantFrom(
    ...(["deploy", "preview", "delete", "sweep", "rollback", "check", "usage", "oauth-provider"] as const),
  );
  let refused = 0;

  await fc.assert(
    fc.asyncProperty(actions, inputs, addresses, variables, async (action, given, urls, env) => {
      const onPlatform = { control_plane_url: platform.url, base_url: platform.url };
      // Nothing is to be requested from another host.
      const wrong = Object.entries(urls).filter(([, url]) => !/https?:/i.test(url));
      const step = await platform.run(
        action,
        { ...usual, ...onPlatform, ...given, ...Object.fromEntries(wrong) },
        { ...env, GITHUB_API_URL: platform.url, GITHUB_EVENT_PATH: eventFile({ action: "opened" }) },
      );

      expectHarmless(step, "any");
      expect(step.stdout).not.toContain("Internal error");
      if (!step.succeeded) refused += 1;
    }),
    times(75),
  );

  expect(refused).toBeGreaterThan(50);
});

test("the words of a dry run do nothing in the log and the summary", async () => {
  const platform = await startHostilePlatform(() => ({ status: 200, body: { resources: [], offset: 0 } }));
  const given = words("name repo_ref app_config_path image_uri custom_url deployment_type environment");
  const inputs = fc.record({
    ...Object.fromEntries(given.map((name) => [name, text])),
    resource_spec: fc.dictionary(text, text).map((spec) => JSON.stringify(spec)),
  });

  await fc.assert(
    fc.asyncProperty(inputs, async (each) => {
      expectHarmless(await platform.run("deploy", { ...each, dry_run: "true" }), "any");
    }),
    times(4),
  );
});
