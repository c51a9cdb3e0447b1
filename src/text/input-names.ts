/** The inputs of all actions. */
// biome-ignore format: several a line
export const inputNames = [
  "agent_headers", "allow_http", "api_key", "app_config_path", "auth_url", "base_url", "bearer_token",
  "breaking_changes", "build_command", "build_log", "build_on_push", "clear", "client_id", "client_secret",
  "code_challenge_method", "comment", "compare_with", "compare_with_url", "control_plane_url", "csv_file",
  "custom_url", "delete_tracing_project", "deployment_id", "deployment_type", "deployment_url", "dry_run",
  "end_time", "env_vars", "environment", "github_token", "group_by", "health_check_path",
  "health_check_timeout_seconds", "image_uri", "install_command", "integration_id", "json_file", "k8s_namespace", "label",
  "listener_id", "max_age_days", "max_traces", "name", "name_max_length", "on_cancel", "only_if_changed",
  "platform", "poll_interval_seconds", "production_environment", "provider_id", "region", "repo_ref",
  "repo_url", "request_timeout_seconds", "resource_spec", "revision_id", "rollback_on_failure", "secrets",
  "serving_check", "smoke_tests", "source", "source_path", "start_time", "timeout_seconds", "token_url",
  "uses_pkce", "verify_commit", "wait", "workspace_id", "workspace_ids",
] as const;

export type InputName = (typeof inputNames)[number];
