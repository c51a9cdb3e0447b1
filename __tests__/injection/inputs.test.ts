import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { plan } from "../../src/deploy/plan/plan.ts";
import { ActionError } from "../../src/errors.ts";
import { readWorkflowRun } from "../../src/github/workflow-run.ts";
import { readTarget } from "../../src/inputs/control-plane.ts";
import { readDeployInputs, readRollbackInputs } from "../../src/inputs/deploy.ts";
import { maskSecretInputs, redactorFor } from "../../src/inputs/masks.ts";
import { readPreviewInputs, readSweepInputs } from "../../src/inputs/preview.ts";
import { InputReader } from "../../src/inputs/reader.ts";
import { readProviderInputs } from "../../src/oauth-provider/inputs.ts";
import { readUsageInputs } from "../../src/usage/inputs.ts";
import { recordingContext } from "../support/recording-context.ts";
import { times } from "./support/hostile-servers.ts";
import { hostileText } from "./support/hostile-text.ts";

const words = (text: string) => text.split(" ");

const names = [
  ...words("allow_http api_key app_config_path auth_url base_url bearer_token build_on_push clear client_id"),
  ...words("client_secret code_challenge_method comment control_plane_url csv_file custom_url deployment_id"),
  ...words("deployment_type dry_run end_time environment github_token group_by health_check_path image_uri"),
  ...words("health_check_timeout_seconds integration_id json_file label listener_id max_age_days max_traces"),
  ...words(
    "name name_max_length on_cancel platform poll_interval_seconds production_environment provider_id",
  ),
  ...words(
    "region repo_ref repo_url request_timeout_seconds resource_spec revision_id rollback_on_failure secrets source",
  ),
  ...words("start_time timeout_seconds token_url uses_pkce verify_commit wait workspace_id workspace_ids"),
];

/** Values that some input accepts, or nearly so. */
const known = [
  ...words(
    "true FALSE 0 1 1e9 -1 0.5 86400 NaN .. % / a/ langsmith __proto__ constructor interrupt workspace,user",
  ),
  ...words("https://x.example/api-host/ http://localhost https://[::1]:0/ https://a:b@c https:// 2026-02-30"),
  ...words("2026-01-05T10:00:00+99:99 +275760-09-13 11111111-1111-4111-8111-111111111111 name\nclient_id"),
  ...words('A=1\nB<<E\nx\nE A<<E = << A<<\n\n # {"A":"1","A":"2"} {"__proto__":"x"} { {} {"A":null} [1] "x"'),
  ...['{"A":{"B":"\\u0041"}}', `{"a":${"[".repeat(50)}${"]".repeat(50)}}`, "", " ", "\0"],
];
const value = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...known) },
  { weight: 2, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.json() },
);

const inputs = fc
  .dictionary(fc.constantFrom(...names), value, { maxKeys: 6, noNullPrototype: true })
  .map((given) =>
    Object.fromEntries(Object.entries(given).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])),
  );
const variables = fc.record({
  GITHUB_REF: hostileText,
  GITHUB_HEAD_REF: fc.oneof(fc.constant(""), hostileText),
  GITHUB_REPOSITORY: fc.oneof(fc.constantFrom("", "octo-org/octo-repo"), hostileText),
});

/** Enough for every action. Most runs replace some of it. */
const usual = {
  INPUT_CONTROL_PLANE_URL: "https://agents.example.com/api-host",
  INPUT_BASE_URL: "https://agents.example.com",
  INPUT_API_KEY: "key",
  INPUT_WORKSPACE_ID: "11111111-1111-4111-8111-111111111111",
  INPUT_WORKSPACE_IDS: "11111111-1111-4111-8111-111111111111",
  INPUT_NAME: "agent",
  INPUT_PROVIDER_ID: "provider",
  INPUT_GITHUB_TOKEN: "token",
};

/** Reads the inputs of each action. Problems stay in the reader. */
const readings: Readonly<Record<string, (reader: InputReader, env: Record<string, string>) => unknown>> = {
  deploy: (reader, env) => {
    const { desired, controlPlane } = readDeployInputs(reader);
    return plan(readTarget(reader), desired, readWorkflowRun(env), controlPlane);
  },
  preview: (reader, env) => readPreviewInputs(reader, env.GITHUB_REPOSITORY ?? "", 7),
  sweep: readSweepInputs,
  rollback: readRollbackInputs,
  usage: (reader) => readUsageInputs(reader, { now: 0, workspace: "/nonexistent" }),
  "oauth-provider": readProviderInputs,
};

test("any inputs are either read or refused with sanitized messages, and nothing else is thrown", () => {
  const { report } = recordingContext({});
  const { numRuns } = times(1000);
  let refused = 0;

  fc.assert(
    fc.property(inputs, variables, fc.constantFrom(...Object.keys(readings)), (given, run, action) => {
      const env = { ...usual, ...run, ...given };
      const reader = new InputReader(env);
      maskSecretInputs(env, report);
      redactorFor(env);
      readings[action]?.(reader, env);
      try {
        reader.finish(report);
      } catch (error) {
        if (!(error instanceof ActionError)) throw error;
        refused += 1;
        for (const message of [error.text, ...error.problems]) {
          expect(report.render.plain(message)).not.toMatch(/[\p{Cc}\p{Cf}\p{DI}]/u);
        }
      }
    }),
    { numRuns },
  );

  expect(refused).toBeGreaterThan(numRuns / 10);
  expect(refused).toBeLessThan(numRuns);
});
