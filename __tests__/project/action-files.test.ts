import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NoOperationTraceWriter } from "@actions/workflow-parser";
import { convertActionTemplate, parseAction } from "@actions/workflow-parser/actions/index";
import { describe, expect, test } from "@jest/globals";
import { actionFolders, parseActionFile, readActionFile } from "../../scripts/docs/action-file.ts";
import { root } from "../../scripts/support/run.ts";
import { actions } from "../../src/run.ts";
import { inputNames } from "../../src/text/input-names.ts";

const words = (text: string) => text.trim().split(/\s+/);

const common = words(
  "control_plane_url platform region api_key workspace_id request_timeout_seconds allow_http",
);
const deploy = words(`
  name source integration_id repo_url deployment_type build_on_push custom_url resource_spec repo_ref app_config_path
  image_uri secrets env_vars wait timeout_seconds poll_interval_seconds environment github_token dry_run only_if_changed
  listener_id k8s_namespace verify_commit health_check_path health_check_timeout_seconds serving_check smoke_tests
  compare_with breaking_changes agent_headers rollback_on_failure on_cancel build_log source_path install_command
  build_command`);
const deployOutputs = words(`
  deployment_id name revision_id status outcome message created deployment_url platform_url duration_seconds
  previous_revision_id live_revision_id rolled_back_to source_digest commit_sha server_version smoke_tests
  contract_changes`);

/** Workflows depend on these names, so none may appear or disappear unnoticed. */
const names: Readonly<Record<(typeof actionFolders)[number], { inputs: string[]; outputs: string[] }>> = {
  ".": { inputs: [...common, ...deploy, "deployment_id", "production_environment"], outputs: deployOutputs },
  preview: {
    inputs: [...common, ...deploy, ...words("name_max_length comment label delete_tracing_project")],
    outputs: deployOutputs,
  },
  sweep: {
    inputs: [...common, ...words("github_token environment max_age_days dry_run delete_tracing_project")],
    outputs: words("deleted kept outcome"),
  },
  delete: {
    inputs: [...common, ...words("deployment_id name delete_tracing_project")],
    outputs: words("deployment_id outcome"),
  },
  rollback: {
    inputs: words(`${common.join(" ")}
      deployment_id name revision_id wait timeout_seconds poll_interval_seconds environment production_environment
      github_token health_check_path health_check_timeout_seconds serving_check smoke_tests agent_headers`),
    outputs: words(`
      deployment_id revision_id previous_revision_id rolled_back_to status outcome message deployment_url smoke_tests`),
  },
  check: {
    inputs: words(`
      deployment_url agent_headers health_check_path health_check_timeout_seconds smoke_tests compare_with_url
      breaking_changes request_timeout_seconds allow_http`),
    outputs: words("outcome message smoke_tests contract_changes server_version"),
  },
  usage: {
    inputs: words(`
      base_url platform region api_key start_time end_time workspace_ids group_by json_file csv_file max_traces
      request_timeout_seconds allow_http`),
    outputs: words("total_traces buckets stride_days stride_hours json_file csv_file"),
  },
  "oauth-provider": {
    inputs: words(`${common.join(" ")}
      provider_id name client_id client_secret auth_url token_url uses_pkce code_challenge_method clear bearer_token`),
    outputs: words("provider updated_at"),
  },
};

function parseAsGitHub(name: string, content: string) {
  const { context, value } = parseAction({ name, content }, new NoOperationTraceWriter());
  const template = value === undefined ? undefined : convertActionTemplate(context, value);
  return { template, errors: context.errors.getErrors().map(({ message }) => message) };
}

describe.each(actionFolders)("%s/action.yml", (folder) => {
  const path = join(root, folder, "action.yml");
  const action = readActionFile(path);

  test("is valid for GitHub's parser", () => {
    const { template, errors } = parseAsGitHub(path, readFileSync(path, "utf8"));

    expect(errors).toEqual([]);
    expect(template?.branding).toEqual({ icon: expect.any(String), color: expect.any(String) });
  });

  test("has exactly the inputs and outputs that workflows depend on", () => {
    expect(Object.keys(action.inputs).sort()).toEqual([...names[folder].inputs].sort());
    expect(Object.keys(action.outputs).sort()).toEqual([...names[folder].outputs].sort());
  });

  test("describes each of them in full sentences, and an input in at most 170 characters", () => {
    const inputs = Object.entries(action.inputs);
    const described = [...inputs, ...Object.entries(action.outputs)];

    const broken = described.filter(([, { description }]) => !/^[A-Z`].*[\w`)]\.$/s.test(description));
    const long = inputs.filter(([, { description }]) => description.length > 170);

    expect(broken.map(([name]) => name)).toEqual([]);
    expect(long.map(([name]) => name)).toEqual([]);
  });

  test("gives no default to a required input", () => {
    const required = Object.values(action.inputs).filter((input) => input.required);

    expect(required.filter((input) => input.default !== undefined)).toEqual([]);
  });

  test("runs on Node 24", () => {
    expect(action.runs.using).toBe("node24");
  });
});

test.each([
  ["rollback", actions.rollback.outputs],
  ["delete", actions.delete.outputs],
  ["check", actions.check.outputs],
] as const)(
  "the action %s writes no other outputs than its action.yml has, and all of them",
  (folder, written) => {
    expect([...written].sort()).toEqual([...names[folder].outputs].sort());
  },
);

test("the compiler knows the inputs of all actions", () => {
  const inputs = actionFolders.flatMap((folder) =>
    Object.keys(readActionFile(join(root, folder, "action.yml")).inputs),
  );

  expect([...new Set(inputs)].sort()).toEqual([...inputNames]);
});

test.each(common)("the input %s has the same description in every action on deployments", (name) => {
  const [own, ...others] = ([".", "preview", "sweep", "delete", "rollback"] as const).map(
    (folder) => readActionFile(join(root, folder, "action.yml")).inputs[name],
  );

  expect(others).toEqual([own, own, own, own]);
});

test("GitHub's parser refuses an invalid action.yml", () => {
  const content = "name: x\ndescription: y\nruns:\n  using: node99\n  main: x.js\nbranding:\n  icon: none\n";

  expect(parseAsGitHub("action.yml", content).errors).toEqual([
    expect.stringContaining("node99"),
    expect.stringContaining("none"),
  ]);
});

const withoutGroup = `inputs:
  mode:
    description: Either.
    required: true
outputs: {}
runs: { using: node24, main: main.js }
`;

test("an input without a group is an error that says how to give it one", () => {
  expect(() => parseActionFile(withoutGroup, "x/action.yml")).toThrow(
    /mode has no group.*# Where.*x\/action\.yml/,
  );
});
