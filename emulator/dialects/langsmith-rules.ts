/** The rules of LangSmith Deployment beyond the schema (docs/specification.md#platform-langsmith). */
import * as v from "valibot";
import { RefusedError } from "../errors.ts";
import type { Config, DeploymentChange, DeploymentRow, NewDeployment } from "../store/deployments.ts";
import type { Installation, Listener } from "./dialect.ts";

export const ListenerConfigSchema = v.strictObject({ k8s_namespace: v.nullish(v.string(), null) });

/** @throws {RefusedError} 400 if a create breaks a rule */
export function checkCreate(request: NewDeployment, { region, listeners }: Installation): void {
  const { name, source, source_config: config, source_revision_config: revision, secrets } = request;
  refuse(!NAME.test(name) || name.length > NAME_MAX_LENGTH, NAME_RULE);
  const given: Config = { ...config, ...revision };
  for (const field of requiredFields(source)) {
    refuse((given[field] ?? null) === null, `${wireName(field)} is required for source ${source}.`);
  }
  checkSource(source, config, revision);
  if (source === "external_docker") checkOwnCluster(config, listeners);
  const sleeps = SCALE_TO_ZERO.includes(String(config.deployment_type));
  refuse(region === "aws-us" && sleeps, "Scale to zero deployments are not supported in AWS environments");
  checkSecrets(secrets);
}

/** @throws {RefusedError} 400 if an update breaks a rule */
export function checkUpdate(before: DeploymentRow, request: DeploymentChange): void {
  const { source_config: config = {}, source_revision_config: revision = {}, secrets = [] } = request;
  for (const field of FIXED) {
    const changes = field in config && config[field] !== (before.source_config[field] ?? null);
    refuse(changes, `${field} can't be changed once the deployment is created.`);
  }
  checkSource(
    before.source,
    { ...before.source_config, ...config },
    { ...before.source_revision_config, ...revision },
  );
  checkSecrets(secrets);
}

function checkOwnCluster(config: Config, listeners: readonly Listener[]): void {
  const has = (field: string) => (config[field] ?? null) !== null;
  refuse(
    !has("resource_spec") || has("deployment_type"),
    "external_docker requires resource_spec and rejects deployment_type on create",
  );
  if (listeners.length === 0) return;
  const listener = listeners.find(({ id }) => id === config.listener_id);
  const ids = listeners.map(({ id }) => `'${id}'`).join(", ");
  const namespaces = listener?.namespaces ?? [];
  const namespace = v.parse(v.nullish(ListenerConfigSchema), config.listener_config)?.k8s_namespace ?? null;
  const isServed = namespace === null ? namespaces.length < 2 : namespaces.includes(namespace);
  // The first sentence is the platform's. It is not known what it says of an id or a namespace that is wrong.
  refuse(
    listener === undefined,
    `Source configuration error: 'source_config.listener_id' is required for workspace with available listener IDs: [${ids}]`,
  );
  refuse(
    !isServed,
    `Source configuration error: 'source_config.listener_config.k8s_namespace' has to be one of: ${namespaces.join(", ")}`,
  );
}

const SCALE_TO_ZERO = ["serverless", "dev_zero", "dev_free_zero"];

/** The end of a ref that is neither a branch nor a tag: it is accepted, and its build fails. */
export function failureOf({ repo_ref: ref }: Config): { status: string; message: string } | undefined {
  if (typeof ref !== "string" || !/^[0-9a-f]{40}$|^refs\/(?!tags\/)/i.test(ref)) return undefined;
  return { status: "BUILD_FAILED", message: `There is no branch or tag named ${ref}.` };
}

const NAME = /^[a-z][a-z0-9-]*$/;
const NAME_MAX_LENGTH = 63;
const NAME_RULE = `name has to start with a letter and hold at most ${NAME_MAX_LENGTH} lower-case letters, digits and dashes.`;

/** Reserved everywhere. The vendor's cloud reserves more; the emulator behaves like an installation of one's own. */
const RESERVED_SECRETS = [
  ...["LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING_V2", "LANGCHAIN_ENDPOINT", "LANGCHAIN_PROJECT"],
  ...["LANGSMITH_PROJECT", "LANGSMITH_LANGGRAPH_GIT_REPO", "LANGGRAPH_GIT_REPO_PATH", "LANGCHAIN_API_KEY"],
  ...["LANGSMITH_CONTROL_PLANE_API_KEY", "POSTGRES_URI", "POSTGRES_PASSWORD", "DATABASE_URI"],
  ...["LANGSMITH_LANGGRAPH_GIT_REF", "LANGSMITH_LANGGRAPH_GIT_REF_SHA", "LANGGRAPH_AUTH_TYPE"],
  ...["LANGSMITH_AUTH_ENDPOINT", "LANGSMITH_TENANT_ID", "LANGSMITH_AUTH_VERIFY_TENANT_ID"],
  ...["LANGSMITH_HOST_PROJECT_ID", "LANGSMITH_HOST_PROJECT_NAME", "LANGSMITH_HOST_REVISION_ID", "LOG_JSON"],
  ...["LOG_DICT_TRACEBACKS", "REDIS_URI", "LANGCHAIN_CALLBACKS_BACKGROUND", "DD_TRACE_PSYCOPG_ENABLED"],
  ...["DD_TRACE_REDIS_ENABLED", "LANGSMITH_DEPLOYMENT_NAME", "LANGGRAPH_CLOUD_LICENSE_KEY"],
];

/** Fixed once the deployment is created. */
const FIXED = ["integration_id", "deployment_type", "listener_id"];

function requiredFields(source: string): string[] {
  if (source === "github") return ["integration_id", "repo_url", "repo_ref", "app_config_path"];
  return source === "external_docker" ? ["image_uri"] : [];
}

function wireName(field: string): string {
  return field === "app_config_path" ? "langgraph_config_path" : field;
}

function checkSource(source: string, config: Config, revision: Config): void {
  const { repo_ref: ref } = revision;
  const text = typeof ref === "string" ? ref : "";
  refuse(
    text.startsWith("refs/heads/"),
    `repo_ref has to be a branch's name or refs/tags/NAME, not ${text}.`,
  );
  const isTag = text.startsWith("refs/tags/");
  refuse(isTag && config.build_on_push === true, "build_on_push can't be enabled for a tag.");
  const builds = source === "github" || source === "internal_source";
  refuse(
    !builds && (revision.app_config_path ?? null) !== null,
    `${wireName("app_config_path")} has to be null for source ${source}.`,
  );
  refuse(
    source !== "external_docker" && (config.custom_url ?? null) !== null,
    "custom_url can only be set for source external_docker.",
  );
}

function checkSecrets(secrets: NewDeployment["secrets"]): void {
  for (const { name } of secrets) {
    refuse(RESERVED_SECRETS.includes(name), `${name} is reserved and can't be the name of a secret.`);
  }
}

function refuse(isBroken: boolean, detail: string): void {
  if (isBroken) throw new RefusedError(400, detail);
}
