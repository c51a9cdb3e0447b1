import type { Variable } from "./desired-deployment.ts";

/** The body of a create or an update. Fields that are undefined are not sent. */
export interface RequestBody {
  readonly name?: string;
  readonly source?: string | undefined;
  readonly revision_source?: string | undefined;
  readonly source_config?: SourceConfig;
  readonly source_revision_config?: RevisionConfig;
  readonly secrets?: readonly Variable[];
}

type Sent<T> = { readonly [Field in keyof T]?: T[Field] | null | undefined };

export type SourceConfig = Sent<{
  integration_id: string;
  repo_url: string;
  deployment_type: string;
  build_on_push: boolean;
  custom_url: string;
  resource_spec: Record<string, unknown>;
  // Those of LangSmith Deployment alone:
  listener_id: string;
  listener_config: { readonly k8s_namespace: string };
  install_command: string;
  build_command: string;
}>;

export type RevisionConfig = Sent<{
  repo_ref: string;
  app_config_path: string;
  image_uri: string;
  // Those of LangSmith Deployment alone:
  langgraph_config_path: string;
  source_tarball_path: string;
}>;
