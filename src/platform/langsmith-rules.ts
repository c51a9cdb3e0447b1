/** What LangSmith Deployment requires, and reports late or without a reason. */
import { code, input, type Message, quote, text } from "../text/message.ts";
import type { Deployment } from "./deployment.ts";
import type { RuleProblem, WantedDeployment } from "./platform.ts";
import type { CreateRequest } from "./schemas.ts";
import { sourceKinds } from "./source-kinds.ts";

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

export function findProblems({ secrets }: WantedDeployment, isCloud: boolean): RuleProblem[] {
  const reserved = isCloud ? [...reservedSecrets, ...cloudReservedSecrets] : reservedSecrets;
  return secrets
    .filter(({ name }) => reserved.includes(name))
    .map(({ name }) => ({
      input: "secrets",
      problem: text`contains ${code(name)}, a name that the platform sets itself`,
      hint: text`Remove it from ${input("secrets")}, or rename it there and in the agent.`,
    }));
}

/**
 * What an update would change that can't change once the deployment exists, and what its source needs: without it the
 * platform may build again what it had before.
 */
export function findUpdateProblems(wanted: WantedDeployment, deployment: Deployment): RuleProblem[] {
  const { sourceKind: source = "" } = deployment;
  const current = fixedValues(deployment);
  const problems = Object.entries(fixedValues({ ...wanted, sourceKind: wanted.source })).flatMap(
    ([field, value]) => {
      const shown = current[field];
      if (value == null || shown === undefined || isSameValue(value, shown)) return [];
      const name = field === "source" && wanted.upload !== undefined ? "source_path" : field;
      return [fixedProblem(name, text`can't be used`, field, shown)];
    },
  );
  if (problems.length > 0) return problems;
  const needed = neededInput(source, wanted);
  return needed === undefined ? [] : [fixedProblem(needed, text`is required`, "source", source)];
}

type FixedValues = Partial<
  Pick<Deployment, "sourceKind" | "integrationId" | "deploymentType" | "listenerId">
>;

/** By their inputs. `null`: the platform says that there is none. */
function fixedValues(of: FixedValues): Readonly<Record<string, string | null | undefined>> {
  const { sourceKind: source, integrationId, deploymentType, listenerId } = of;
  return {
    source,
    integration_id: integrationId,
    deployment_type: deploymentType,
    listener_id: listenerId,
  };
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

function fixedProblem(name: string, what: Message, field: string, shown: string | null): RuleProblem {
  const value = shown === null ? text`not set` : quote(shown, 200);
  return {
    input: name,
    problem: text`${what}, because the deployment's ${input(field)} is ${value} and can't change once the deployment exists`,
    hint: text`Correct ${input(name)}, or choose a different ${input("name")}.`,
  };
}

function neededInput(source: string, { upload, imageUri }: WantedDeployment): string | undefined {
  if (source === sourceKinds.upload) return upload === undefined ? "source_path" : undefined;
  const isImage = source === sourceKinds.otherImage || source === sourceKinds.ownImage;
  return isImage && imageUri === undefined ? "image_uri" : undefined;
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
