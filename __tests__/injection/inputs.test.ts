import { expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { planDeployment } from "../../src/deployment/plan.ts";
import { readDeployInputs } from "../../src/inputs/deploy.ts";
import { InputErrors } from "../../src/inputs/errors.ts";
import { maskSecretInputs, redactorFor } from "../../src/inputs/masks.ts";
import { readPreviewInputs } from "../../src/inputs/preview.ts";
import { InputReader } from "../../src/inputs/reader.ts";
import { readSweepInputs } from "../../src/inputs/sweep.ts";
import { readTarget } from "../../src/inputs/target.ts";
import { readWorkflowRun } from "../../src/inputs/workflow-run.ts";
import { readProviderInputs } from "../../src/oauth-provider/inputs.ts";
import { runnerDisk } from "../../src/runner/disk.ts";
import { readUsageInputs } from "../../src/usage/inputs.ts";
import { recordingContext } from "../support/recording-context.ts";
import { times } from "./support/hostile-runs.ts";
import { hostileText } from "./support/hostile-text.ts";

jest.setTimeout(60_000 * Number(process.env.PROPERTY_RUNS ?? 1));

const names = [
  ..."allow_http api_key app_config_path auth_url base_url bearer_token build_on_push clear client_id".split(
    " ",
  ),
  ..."client_secret code_challenge_method comment control_plane_url csv_file custom_url deployment_id".split(
    " ",
  ),
  ..."deployment_type dry_run end_time environment github_token group_by health_check_path".split(" "),
  ..."health_check_timeout_seconds image_uri integration_id json_file label listener_id max_age_days".split(
    " ",
  ),
  ..."max_traces name name_max_length on_cancel platform poll_interval_seconds production_environment".split(
    " ",
  ),
  ..."provider_id region repo_ref repo_url request_timeout_seconds resource_spec rollback_on_failure".split(
    " ",
  ),
  ..."secrets source start_time timeout_seconds token_url uses_pkce verify_commit wait workspace_id".split(
    " ",
  ),
  "workspace_ids",
];

/** Values that some input takes, or nearly so, beside text of any kind. */
const value = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...["", " ", "true", "FALSE", "0", "1", "1e9", "-1", "0.5", "86400", "NaN"]),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        "https://x.example/api-host/",
        "http://localhost",
        "https://[::1]:0/",
        "https://a:b@c",
        "https://",
        "..",
        "%",
      ],
      ...[
        "langsmith",
        "__proto__",
        "constructor",
        "interrupt",
        "workspace,user",
        "name\nclient_id",
        "2026-02-30",
      ],
      ...[
        "2026-01-05T10:00:00+99:99",
        "+275760-09-13",
        "11111111-1111-4111-8111-111111111111",
        "/",
        "a/",
        "\0",
      ],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        "A=1\nB<<E\nx\nE",
        "A<<E",
        "=",
        "<<",
        "A<<\n\n",
        "#",
        '{"A":"1","A":"2"}',
        '{"__proto__":"x"}',
        "{",
        "{}",
      ],
      ...[
        '{"A":null}',
        '{"A":{"B":"\\u0041"}}',
        "[1]",
        "1",
        '"x"',
        `{"a":${"[".repeat(50)}${"]".repeat(50)}}`,
      ],
    ),
  },
  { weight: 2, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.json() },
);

const environment = fc
  .dictionary(fc.constantFrom(...names), value, { maxKeys: 6, noNullPrototype: true })
  .map((inputs) =>
    Object.fromEntries(Object.entries(inputs).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])),
  );
const variables = fc.record({
  GITHUB_REF: hostileText,
  GITHUB_HEAD_REF: fc.oneof(fc.constant(""), hostileText),
  GITHUB_REPOSITORY: fc.oneof(fc.constantFrom("", "octo-org/octo-repo"), hostileText),
});

/** Enough for every action; most runs put something wrong in the place of some of it. */
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

/** What reads the inputs of each action; problems stay in the reader. */
const readings: Readonly<Record<string, (reader: InputReader, env: Record<string, string>) => unknown>> = {
  deploy: (reader, env) => {
    const { desired, controlPlane } = readDeployInputs(reader);
    return planDeployment(
      readTarget(reader),
      desired,
      readWorkflowRun(recordingContext(env)),
      controlPlane.platform,
    );
  },
  preview: (reader, env) => readPreviewInputs(reader, env.GITHUB_REPOSITORY ?? "", 7),
  sweep: readSweepInputs,
  usage: (reader) =>
    readUsageInputs(reader, { now: Date.parse("2026-03-02"), workspace: "/nonexistent", disk: runnerDisk }),
  "oauth-provider": readProviderInputs,
};

test("whatever the inputs are, reading them ends well or tells what is wrong with each", () => {
  const context = recordingContext({});
  let refused = 0;
  fc.assert(
    fc.property(environment, variables, fc.constantFrom(...Object.keys(readings)), (inputs, run, action) => {
      const env = { ...usual, ...run, ...inputs };
      const reader = new InputReader(env);
      maskSecretInputs(env, context.log);
      redactorFor(env);
      readings[action]?.(reader, env);
      try {
        reader.finish(recordingContext({}).log);
      } catch (error) {
        if (!(error instanceof InputErrors)) throw error;
        refused += 1;
        for (const told of [error.message, ...error.items]) expect(told).not.toMatch(/[\p{Cc}\p{Cf}\p{DI}]/u);
      }
    }),
    times(10_000),
  );
  expect(refused).toBeGreaterThan(1000);
  expect(refused).toBeLessThan(10_000 * Number(process.env.PROPERTY_RUNS ?? 1));
});
