import type { DesiredDeployment } from "../../inputs/deploy.ts";
import { type InputProblem, inputError } from "../../inputs/input-error.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { Platform, PlatformRules } from "../../platform/platforms.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import { input, quote, text } from "../../text/message.ts";

type ImmutableInput = PlatformRules["immutableInputs"][number];
/** `null`: the platform says that there is none. */
type Values = Readonly<Record<ImmutableInput, string | null | undefined>>;

/**
 * @throws Failure if an input would change what can't change once the deployment exists, or if the deployment's source
 *   needs an input that is not given: the platform may accept the update, and build again what it had before.
 */
export function assertUpdatable(
  desired: DesiredDeployment,
  deployment: Deployment,
  { rules }: Pick<Platform, "rules">,
): void {
  if (rules === undefined) return;
  const [wantedValues, currentValues] = [valuesOf(desired), valuesOf(deployment)];
  const problems = rules.immutableInputs.flatMap((name) => {
    const [wanted, current] = [wantedValues[name], currentValues[name]];
    if (wanted == null || current === undefined || wanted === current) return [];
    if (current !== null && name === "deployment_type" && mayBeSameType(wanted, current, rules)) return [];
    return [changeProblem(name, current, wanted, desired)];
  });
  if (problems.length > 0) throw inputError(problems);
  const missing = missingInput(desired, deployment, rules);
  if (missing !== undefined) throw inputError([missing]);
}

/** Whether two words may mean the same type: one that is not known may be another word for it. */
function mayBeSameType(one: string, other: string, { deploymentTypes }: PlatformRules): boolean {
  const known = deploymentTypes.flat();
  if (!known.includes(one) || !known.includes(other)) return true;
  return deploymentTypes.some((types) => types.includes(one) && types.includes(other));
}

function changeProblem(
  name: ImmutableInput,
  current: string | null,
  wanted: string,
  { upload }: DesiredDeployment,
): InputProblem {
  if (name === "source" && current !== null && upload !== undefined) {
    const problem = text`can't be used: the deployment's source is ${quote(current, 200)}, and a source can't change once the deployment exists`;
    return { input: "source_path", problem, hint: otherName };
  }
  const problem = text`can't change once the deployment exists: it is ${current === null ? text`not set` : quote(current, 200)}, not ${quote(wanted, 200)}`;
  const back =
    current === null ? text`Leave ${input(name)} out` : text`Set ${input(name)} to ${quote(current, 200)}`;
  return { input: name, problem, hint: text`${back}, or choose a different ${input("name")}.` };
}

const otherName = text`Choose a different ${input("name")}.`;

/** The input without which a deployment of this source gets no new revision. */
function missingInput(
  desired: DesiredDeployment,
  { source = "" }: Deployment,
  { requiredInputs }: PlatformRules,
): InputProblem | undefined {
  const isGiven = { source_path: desired.upload !== undefined, image_uri: desired.imageUri !== undefined };
  const required = requiredInputs.get(source);
  if (required === undefined || isGiven[required]) return undefined;
  const problem = text`is required, because the deployment's ${input("source")} is ${quote(source, 200)}, and a source can't change once the deployment exists`;
  return {
    input: required,
    problem,
    hint: text`Set ${input(required)}, or choose a different ${input("name")}.`,
  };
}

/**
 * The update without immutable inputs that the platform knows already: it would refuse even another spelling.
 * `deployment`: undefined if this run created it, with all of them.
 */
export function withoutImmutable(
  update: UpdateRequest,
  deployment: Deployment | undefined,
  { rules }: Pick<Platform, "rules">,
): UpdateRequest {
  const { source_config: sourceConfig, ...rest } = update;
  if (sourceConfig === undefined || rules === undefined) return update;
  const current = deployment && valuesOf(deployment);
  const omitted = rules.immutableInputs.filter(
    (name) => current === undefined || current[name] !== undefined,
  );
  const kept = Object.entries(sourceConfig).filter(
    ([name]) => !omitted.some((omittedName) => omittedName === name),
  );
  return kept.length === 0 ? rest : { source_config: Object.fromEntries(kept), ...rest };
}

function valuesOf({
  source,
  integrationId,
  deploymentType,
  listenerId,
}: Pick<Deployment, "source" | "integrationId" | "deploymentType" | "listenerId">): Values {
  return {
    source,
    integration_id: integrationId,
    deployment_type: deploymentType,
    listener_id: listenerId,
  };
}
