/** Types of https://github.com/typesafegithub/github-actions-typing#available-types. */
export type ValueType =
  | { readonly type: "string" | "boolean" | "integer" | "float" }
  | { readonly type: "enum"; readonly "allowed-values": readonly string[] }
  | {
      readonly type: "list";
      readonly separator: string;
      readonly "list-item": { readonly type: "string" };
    };

const string = { type: "string" } as const;
const boolean = { type: "boolean" } as const;
const integer = { type: "integer" } as const;
const float = { type: "float" } as const;
const commaSeparated = { type: "list", separator: ",", "list-item": string } as const;

function oneOf(...values: readonly string[]): ValueType {
  return { type: "enum", "allowed-values": values };
}

/** The type of each input. An input has the same type in every action. A list that the platform may extend is a string. */
export const inputTypes: Readonly<Record<string, ValueType>> = {
  agent_headers: string,
  allow_http: boolean,
  api_key: string,
  app_config_path: string,
  auth_url: string,
  base_url: string,
  bearer_token: string,
  build_command: string,
  build_log: oneOf("failure", "live", "off"),
  build_on_push: boolean,
  clear: commaSeparated,
  client_id: string,
  client_secret: string,
  code_challenge_method: string,
  comment: boolean,
  control_plane_url: string,
  csv_file: string,
  custom_url: string,
  delete_tracing_project: boolean,
  deployment_id: string,
  deployment_type: string,
  dry_run: boolean,
  end_time: string,
  environment: string,
  github_token: string,
  group_by: oneOf("workspace", "project", "user", "api_key"),
  health_check_path: string,
  health_check_timeout_seconds: float,
  image_uri: string,
  install_command: string,
  integration_id: string,
  json_file: string,
  label: string,
  listener_id: string,
  max_age_days: integer,
  max_traces: integer,
  name: string,
  name_max_length: integer,
  on_cancel: oneOf("leave", "interrupt"),
  platform: oneOf("standard", "langsmith"),
  poll_interval_seconds: float,
  production_environment: boolean,
  provider_id: string,
  region: oneOf("us", "eu", "apac", "aws-us"),
  repo_ref: string,
  repo_url: string,
  request_timeout_seconds: float,
  resource_spec: string,
  revision_id: string,
  rollback_on_failure: boolean,
  secrets: string,
  serving_check: oneOf("auto", "require", "off"),
  smoke_tests: string,
  source: string,
  source_path: string,
  start_time: string,
  timeout_seconds: float,
  token_url: string,
  uses_pkce: boolean,
  verify_commit: boolean,
  wait: boolean,
  workspace_id: string,
  workspace_ids: commaSeparated,
};

/** The type of each output that is more than a string. */
export const outputTypes: Readonly<Record<string, ValueType>> = {
  buckets: integer,
  created: boolean,
  duration_seconds: integer,
  stride_days: integer,
  stride_hours: integer,
  total_traces: integer,
};
