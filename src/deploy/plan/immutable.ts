import type { DesiredDeployment } from "../../inputs/deploy.ts";
import { type InputProblem, inputError } from "../../inputs/reader.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { Platform, PlatformRules } from "../../platform/platforms.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import { input, quote, text } from "../../text/message.ts";

/** An input whose value can't change once the deployment exists. */
type ImmutableInput = PlatformRules["immutableInputs"][number];
type Values = Readonly<Record<ImmutableInput, string | undefined>>;

/**
 * @throws ActionError if an input would change what can't change once the deployment exists, or if the deployment's source
 *   needs an input that is not given: the platform may accept the update, and build again what it had before.
 */
export function assertUpdatable(
  desired: DesiredDeployment,
  deployment: Deployment,
  { rules }: Pick<Platform, "rules">,
): void {
  if (rules === undefined) return;
  const [given, shown] = [valuesOf(desired), valuesOf(deployment)];
  const problems = rules.immutableInputs
    .flatMap((name) => differenceOf(name, given[name], shown[name]) ?? [])
    .filter((difference) => isChange(difference, rules))
    .map((difference) => changeProblem(difference, desired));
  if (problems.length > 0) throw inputError(problems);
  const missing = missingInput(desired, deployment, rules);
  if (missing !== undefined) throw inputError([missing]);
}

/** An input whose text is not the one that the deployment shows. */
interface Difference {
  readonly name: ImmutableInput;
  readonly given: string;
  readonly shown: string;
}

function differenceOf(name: ImmutableInput, given?: string, shown?: string): Difference | undefined {
  if (given === undefined || shown === undefined || given === shown) return undefined;
  return { name, given, shown };
}

/** Whether different texts mean something different, as far as that can be told. */
function isChange({ name, given, shown }: Difference, { deploymentTypes }: PlatformRules): boolean {
  if (name !== "deployment_type") return true;
  const known = deploymentTypes.flat();
  const isSame = deploymentTypes.some((types) => types.includes(given) && types.includes(shown));
  // One that is not known may be another word for the same.
  return known.includes(given) && known.includes(shown) && !isSame;
}

function changeProblem({ name, given, shown }: Difference, desired: DesiredDeployment): InputProblem {
  if (name === "source" && desired.upload !== undefined) {
    const problem = text`can't be used: the deployment's source is ${quote(shown, 200)}, and a source can't change once the deployment exists. Choose a different name`;
    return { input: "source_path", problem };
  }
  const problem = text`can't change once the deployment exists: it is ${quote(shown, 200)}, not ${quote(given, 200)}`;
  return { input: name, problem };
}

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
  return { input: required, problem };
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
  const shown = deployment && valuesOf(deployment);
  const omitted = rules.immutableInputs.filter((name) => shown === undefined || shown[name] !== undefined);
  const kept = Object.entries(sourceConfig).filter(([name]) => !omitted.some((one) => one === name));
  return kept.length === 0 ? rest : { source_config: Object.fromEntries(kept), ...rest };
}

function valuesOf({
  source,
  integrationId,
  deploymentType,
}: Pick<Deployment, "source" | "integrationId" | "deploymentType">): Values {
  return { source, integration_id: integrationId, deployment_type: deploymentType };
}
