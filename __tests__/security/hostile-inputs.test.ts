import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { allInputs } from "../support/action-inputs.ts";
import { expectHarmless } from "./support/expectations.ts";
import { forAny } from "./support/for-any.ts";
import { githubToken, startHostilePlatform } from "./support/hostile-servers.ts";
import { hostileText } from "./support/hostile-text.ts";
import { eventFile } from "./support/step.ts";

const words = (text: string) => text.split(" ");

// The summary's own text would be redacted if it contained a credential.
const credentials = words("api_key github_token client_secret bearer_token secrets agent_headers");
const addresses = words("control_plane_url base_url deployment_url compare_with_url");
const names = [...allInputs].filter((name) => ![...credentials, ...addresses].includes(name));

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
  const urls = fc.dictionary(fc.constantFrom(...addresses), text, { noNullPrototype: true });
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

  await forAny(75, [actions, inputs, urls, variables], async (action, given, hostile, env) => {
    const onPlatform = Object.fromEntries(addresses.map((name) => [name, platform.url]));
    // Nothing is to be requested from another host.
    const wrong = Object.entries(hostile).filter(([, url]) => !/https?:/i.test(url));
    const step = await platform.run(
      action,
      { ...usual, ...onPlatform, ...given, ...Object.fromEntries(wrong) },
      {
        ...env,
        GITHUB_API_URL: platform.url,
        GITHUB_EVENT_PATH: eventFile({ action: "opened" }),
        // What source_path may name is packed, so this is a small folder.
        GITHUB_WORKSPACE: import.meta.dirname,
      },
    );

    expectHarmless(step, "any");
    expect(step.stdout).not.toContain("Internal error");
    if (!step.succeeded) refused += 1;
  });

  expect(refused).toBeGreaterThan(50);
});

test("the words of a dry run do nothing in the log and the summary", async () => {
  const platform = await startHostilePlatform(() => ({ status: 200, body: { resources: [], offset: 0 } }));
  const given = words("name repo_ref app_config_path image_uri custom_url deployment_type environment");
  const inputs = fc.record({
    ...Object.fromEntries(given.map((name) => [name, text])),
    resource_spec: fc.dictionary(text, text).map((spec) => JSON.stringify(spec)),
  });

  await forAny(4, [inputs], async (each) => {
    expectHarmless(await platform.run("deploy", { ...each, dry_run: "true" }), "any");
  });
});
