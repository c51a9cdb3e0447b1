// Rules of LangSmith Deployment. The platform reports their violation late or without a reason.

import { emptyHint, type InputProblem } from "../input-problem.ts";
import type { InputName } from "../text/input-names.ts";
import { code, inputName, listOf, type Message, phrase, text } from "../text/message.ts";
import { equalsIgnoringCase } from "../text/strings.ts";
import type { Deployment } from "./deployment.ts";
import { type DesiredDeployment, sourceKinds, type Variable } from "./desired-deployment.ts";
import { findSourceProblems, fixedProblem } from "./source-rules.ts";

/** A self-hosted installation never reports a deployment with a longer name as ready. */
const maxSelfHostedNameLength = 21;

/** https://reference.langchain.com/python/langgraph-cli/deploy/RESERVED_ENV_VARS */
// biome-ignore format: several a line
const reservedSecrets = [
  "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING_V2", "LANGCHAIN_ENDPOINT", "LANGCHAIN_PROJECT",
  "LANGSMITH_PROJECT", "LANGSMITH_LANGGRAPH_GIT_REPO", "LANGGRAPH_GIT_REPO_PATH",
  "LANGCHAIN_API_KEY", "LANGSMITH_CONTROL_PLANE_API_KEY", "POSTGRES_URI", "POSTGRES_PASSWORD",
  "DATABASE_URI", "LANGSMITH_LANGGRAPH_GIT_REF", "LANGSMITH_LANGGRAPH_GIT_REF_SHA",
  "LANGGRAPH_AUTH_TYPE", "LANGSMITH_AUTH_ENDPOINT", "LANGSMITH_TENANT_ID",
  "LANGSMITH_AUTH_VERIFY_TENANT_ID", "LANGSMITH_HOST_PROJECT_ID", "LANGSMITH_HOST_PROJECT_NAME",
  "LANGSMITH_HOST_REVISION_ID", "LOG_JSON", "LOG_DICT_TRACEBACKS", "REDIS_URI",
  "LANGCHAIN_CALLBACKS_BACKGROUND", "DD_TRACE_PSYCOPG_ENABLED", "DD_TRACE_REDIS_ENABLED",
  "LANGSMITH_DEPLOYMENT_NAME", "LANGGRAPH_CLOUD_LICENSE_KEY",
];

/** Names of secrets that only the vendor's cloud sets itself. */
// biome-ignore format: several a line
const cloudReservedSecrets = [
  "LANGSMITH_API_KEY", "LANGSMITH_ENDPOINT", "POSTGRES_URI_CUSTOM", "REDIS_URI_CUSTOM", "PATH",
  "PORT", "MOUNT_PREFIX", "LSD_ENV", "LSD_DD_API_KEY", "LSD_DD_ENDPOINT", "LSD_DEPLOYMENT_TYPE",
];

/** Names of secrets that the vendor's cloud or a self-hosted installation sets itself. */
export const reservedNames: readonly string[] = [...reservedSecrets, ...cloudReservedSecrets];

export function findProblems(desired: DesiredDeployment, isCloud: boolean): InputProblem[] {
  const { secrets, envVars, sourceKind, deploymentType, k8sNamespace, listenerId, upload } = desired;
  const reserved = isCloud ? reservedNames : reservedSecrets;
  const reservedIn = (input: InputName, variables: readonly Variable[]): InputProblem[] =>
    variables
      .filter(({ name }) => reserved.includes(name))
      .map(({ name }) => ({
        input,
        problem: phrase`contains ${code(name)}, a name that the platform sets itself`,
        hint: text`Remove it from ${inputName(input)}, or rename it there and in the agent.`,
      }));
  const problems = [
    ...reservedIn("secrets", secrets),
    ...reservedIn("env_vars", envVars),
    ...commandProblem("install_command", upload?.installCommand),
    ...commandProblem("build_command", upload?.buildCommand),
  ];
  if (k8sNamespace !== undefined && listenerId === undefined && upload === undefined) {
    const problem = phrase`needs ${inputName("listener_id")}, the listener that deploys to it`;
    problems.push({ input: "k8s_namespace", problem, hint: emptyHint });
  }
  if (sourceKind !== sourceKinds.otherImage || deploymentType === undefined) return problems;
  const problem = phrase`must not be set with source ${code(sourceKind)}: an image on your own cluster has no type`;
  const hint = text`Remove ${inputName("deployment_type")}, and set the resources in ${inputName("resource_spec")}.`;
  return [...problems, { input: "deployment_type", problem, hint }];
}

/**
 * Characters that the vendor's clients refuse in a command:
 * https://github.com/langchain-ai/langgraph/blob/main/libs/cli/langgraph_cli/config.py
 */
const notInCommands = /["`\\\r\n\t|;$<>]|(?<!&)&(?!&)/;

function commandProblem(input: "install_command" | "build_command", command = ""): InputProblem[] {
  const [refused] = notInCommands.exec(command) ?? [];
  if (refused === undefined) return [];
  const character = refused.trim() === "" ? phrase`a tab or a line end` : code(refused);
  const problem = phrase`contains ${character}, which the platform does not accept in a command`;
  const hint = text`Put the command into a script of the upload, and run that in ${inputName(input)}.`;
  return [{ input, problem, hint }];
}

export function removedSecrets(
  desired: DesiredDeployment,
  { secretNames = [] }: Pick<Deployment, "secretNames">,
): string[] {
  const sent = [...desired.secrets, ...desired.envVars];
  return sent.length === 0 ? [] : secretNames.filter((shown) => !sent.some(({ name }) => name === shown));
}

/** Returns the problem of an update with `env_vars` alone: it replaces all variables, so the secrets would be lost. */
function findLostSecrets(desired: DesiredDeployment, deployment: Deployment): InputProblem[] {
  const lost = removedSecrets(desired, deployment);
  if (desired.secrets.length > 0 || lost.length === 0) return [];
  const names = listOf(lost.map((name) => code(name)));
  return [
    {
      input: "env_vars",
      problem: phrase`is set without ${inputName("secrets")}, and would remove ${names} from the deployment`,
      hint: text`An update replaces all variables: list ${names} too, in ${inputName("secrets")} what is secret. To remove one, delete it on the platform first.`,
    },
  ];
}

/** The fields that are fixed once the deployment exists, by their inputs, and whether two values are the same. */
const fixedFields = [
  ["integration_id", "integrationId", equalsIgnoringCase],
  ["deployment_type", "deploymentType", (one: string, other: string) => wireType(one) === wireType(other)],
  ["listener_id", "listenerId", equalsIgnoringCase],
  ["k8s_namespace", "k8sNamespace", (one: string, other: string) => one === other],
] as const;

/** Returns the problems of an update: changes of fields that are fixed once the deployment exists, and lost secrets. */
export function findUpdateProblems(desired: DesiredDeployment, deployment: Deployment): InputProblem[] {
  const problems = fixedFields.flatMap(([input, field, isSameValue]) => {
    const { [field]: value } = desired;
    // `null`: the platform says that there is none.
    const { [field]: current } = deployment;
    const isSame =
      value === undefined || current === undefined || (current !== null && isSameValue(value, current));
    return isSame ? [] : [fixedProblem(input, phrase`can't be used`, input, current)];
  });
  return [...findSourceProblems(desired, deployment), ...problems, ...findLostSecrets(desired, deployment)];
}

/** Types on the wire by their names for people, if they differ: https://github.com/langchain-ai/langgraph/pull/9325 */
const wireTypes: ReadonlyMap<string, string> = new Map([
  ["serverless", "dev_zero"],
  ["dedicated", "prod"],
]);

export function wireType(type: string): string {
  return wireTypes.get(type) ?? type;
}

/** Warns of a name that is too long for a self-hosted installation. */
export function createWarning(
  name: string,
  { sourceKind, content: { imageUri } }: DesiredDeployment,
  isCloud: boolean,
): Message | undefined {
  // Other images always run self-hosted, even with the cloud's control plane.
  const isSelfHosted = !isCloud || (imageUri !== undefined && sourceKind !== sourceKinds.platformImage);
  if (!isSelfHosted || name.length <= maxSelfHostedNameLength) return undefined;
  return text`The name ${code(name)} has ${name.length} characters. A self-hosted installation serves a deployment whose name is longer than ${maxSelfHostedNameLength}, but never reports it as ready, so the revision eventually fails without a reason. Choose a shorter name: the preview action has ${inputName("name_max_length")} for that.`;
}
