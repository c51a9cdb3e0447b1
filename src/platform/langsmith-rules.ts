/** What LangSmith Deployment requires, and reports late or without a reason. */
import { code, input, type Message, quote, text } from "../text/message.ts";
import type { Deployment } from "./deployment.ts";
import type { RuleProblem, WantedDeployment } from "./platform.ts";
import type { CreateRequest } from "./schemas.ts";
import { sourceKinds } from "./source-kinds.ts";

const maxNameLength = 63;
/** A self-hosted installation never reports a deployment with a longer name as ready. */
const maxSelfHostedNameLength = 21;

/** Names of secrets that the platform sets itself. */
const reservedSecrets = [
  ...["LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING_V2", "LANGCHAIN_ENDPOINT", "LANGCHAIN_PROJECT"],
  ...["LANGSMITH_PROJECT", "LANGSMITH_LANGGRAPH_GIT_REPO", "LANGGRAPH_GIT_REPO_PATH"],
  ...["LANGCHAIN_API_KEY", "LANGSMITH_CONTROL_PLANE_API_KEY", "POSTGRES_URI", "POSTGRES_PASSWORD"],
  ...["DATABASE_URI", "LANGSMITH_LANGGRAPH_GIT_REF", "LANGSMITH_LANGGRAPH_GIT_REF_SHA"],
  ...["LANGGRAPH_AUTH_TYPE", "LANGSMITH_AUTH_ENDPOINT", "LANGSMITH_TENANT_ID"],
  ...["LANGSMITH_AUTH_VERIFY_TENANT_ID", "LANGSMITH_HOST_PROJECT_ID", "LANGSMITH_HOST_PROJECT_NAME"],
  ...["LANGSMITH_HOST_REVISION_ID", "LOG_JSON", "LOG_DICT_TRACEBACKS", "REDIS_URI"],
  ...["LANGCHAIN_CALLBACKS_BACKGROUND", "DD_TRACE_PSYCOPG_ENABLED", "DD_TRACE_REDIS_ENABLED"],
  ...["LANGSMITH_DEPLOYMENT_NAME", "LANGGRAPH_CLOUD_LICENSE_KEY"],
];

/** Names of secrets that only the vendor's cloud sets itself. */
const cloudReservedSecrets = [
  ...["LANGSMITH_API_KEY", "LANGSMITH_ENDPOINT", "POSTGRES_URI_CUSTOM", "REDIS_URI_CUSTOM", "PATH"],
  ...["PORT", "MOUNT_PREFIX", "LSD_ENV", "LSD_DD_API_KEY", "LSD_DD_ENDPOINT", "LSD_DEPLOYMENT_TYPE"],
];

export function findProblems(wanted: WantedDeployment, isCloud: boolean): RuleProblem[] {
  return [...nameProblems(wanted), ...refProblems(wanted), ...secretProblems(wanted, isCloud)];
}

function nameProblems({ name }: WantedDeployment): RuleProblem[] {
  if (!name || (/^[a-z][a-z0-9-]*$/.test(name) && name.length <= maxNameLength)) return [];
  const problem = text`must consist of lowercase letters, digits and dashes, start with a letter and have at most ${maxNameLength} characters on this platform, not ${quote(name, 100)}`;
  return [{ input: "name", problem }];
}

function refProblems({ repoRef: ref, buildOnPush }: WantedDeployment): RuleProblem[] {
  if (ref === undefined) return [];
  if (/^[0-9a-f]{40}$/i.test(ref)) {
    const problem = text`must be a branch or a tag (${code("refs/tags/NAME")}): this platform does not deploy commits`;
    return [{ input: "repo_ref", problem }];
  }
  if (buildOnPush === true && ref.startsWith("refs/tags/")) {
    return [{ input: "build_on_push", problem: text`must be ${code("false")} for a tag` }];
  }
  return [];
}

function secretProblems({ secrets }: WantedDeployment, isCloud: boolean): RuleProblem[] {
  const reserved = isCloud ? [...reservedSecrets, ...cloudReservedSecrets] : reservedSecrets;
  return secrets.entries
    .filter(({ name }) => reserved.includes(name))
    .map(({ name }) => ({
      input: "secrets",
      problem: text`contains ${code(name)}, a name that the platform sets itself`,
      hint: text`Remove it from ${input("secrets")}, or rename it there and in the agent.`,
    }));
}

/** Inputs whose value is fixed once the deployment exists. `null`: the platform says that there is none. */
function fixedValues({ source, integrationId, deploymentType, listenerId }: FixedValues) {
  return {
    source,
    integration_id: integrationId,
    deployment_type: deploymentType,
    listener_id: listenerId,
  };
}

type FixedValues = Partial<Pick<Deployment, "source" | "integrationId" | "deploymentType" | "listenerId">>;

/**
 * What an update would change that can't change once the deployment exists, and what its source needs: without it the
 * platform may build again what it had before.
 */
export function findUpdateProblems(wanted: WantedDeployment, deployment: Deployment): RuleProblem[] {
  const current: Readonly<Record<string, string | null | undefined>> = fixedValues(deployment);
  const problems = Object.entries(fixedValues(wanted)).flatMap(([name, value]) => {
    const shown = current[name];
    if (value == null || shown === undefined || isSameValue(value, shown)) return [];
    return [changeProblem(name, shown, value, wanted)];
  });
  return problems.length > 0 ? problems : missingInput(wanted, deployment);
}

/** Two words for the same type: the one for people, and the one on the wire. */
const wireTypes: ReadonlyMap<string, string> = new Map([
  ["serverless", "dev_zero"],
  ["dedicated", "prod"],
]);

function isSameValue(one: string, other: string | null): boolean {
  const onWire = (value: string) => wireTypes.get(value) ?? value;
  return other !== null && onWire(one) === onWire(other);
}

const otherName = text`choose a different ${input("name")}.`;

function changeProblem(
  name: string,
  current: string | null,
  value: string,
  { upload }: WantedDeployment,
): RuleProblem {
  if (name === "source" && current !== null && upload !== undefined) {
    const problem = text`can't be used: the deployment's source is ${quote(current, 200)}, and a source can't change once the deployment exists`;
    return { input: "source_path", problem, hint: text`Choose a different ${input("name")}.` };
  }
  const problem = text`can't change once the deployment exists: it is ${current === null ? text`not set` : quote(current, 200)}, not ${quote(value, 200)}`;
  const back =
    current === null ? text`Leave ${input(name)} out` : text`Set ${input(name)} to ${quote(current, 200)}`;
  return { input: name, problem, hint: text`${back}, or ${otherName}` };
}

function missingInput({ upload, imageUri }: WantedDeployment, { source = "" }: Deployment): RuleProblem[] {
  const isImage = source === sourceKinds.otherImage || source === sourceKinds.ownImage;
  const lacksArchive = source === sourceKinds.upload && upload === undefined;
  if (!lacksArchive && !(isImage && imageUri === undefined)) return [];
  const name = lacksArchive ? "source_path" : "image_uri";
  const problem = text`is required, because the deployment's ${input("source")} is ${quote(source, 200)}, and a source can't change once the deployment exists`;
  return [{ input: name, problem, hint: text`Set ${input(name)}, or ${otherName}` }];
}

export function createWarning(
  { name, source_revision_config: { image_uri: imageUri } }: CreateRequest,
  isCloud: boolean,
): Message | undefined {
  // Image deployments always run self-hosted, even with the cloud's control plane.
  const isSelfHosted = !isCloud || imageUri !== null;
  if (!isSelfHosted || name.length <= maxSelfHostedNameLength) return undefined;
  return text`The name ${code(name)} has ${name.length} characters. A self-hosted installation serves a deployment whose name is longer than ${maxSelfHostedNameLength}, but never reports it as ready, so the revision eventually fails without a reason. Choose a shorter name; for a preview, set ${input("name_max_length")} to ${maxSelfHostedNameLength}.`;
}
