import { closestMatch } from "leven";
import { notSupported, type Target } from "../../inputs/control-plane.ts";
import type { DesiredDeployment } from "../../inputs/deploy.ts";
import type { InputProblem } from "../../inputs/input-error.ts";
import type { Deployment, RevisionSource } from "../../platform/deployment.ts";
import { cloudRegion, type PlatformRules, type PlatformTarget } from "../../platform/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../../platform/schemas.ts";
import { code, input, listed, type Message, quote, text } from "../../text/message.ts";

/** Problems of the inputs that the platform would report late, or without a reason. */
export function validateRules(
  target: Target,
  desired: DesiredDeployment,
  source: RevisionSource,
  host: PlatformTarget,
): InputProblem[] {
  const { platform } = host;
  const lacks = {
    listener_id: desired.listenerId !== undefined && !platform.hosting.listeners,
    source_path: desired.upload !== undefined && !platform.sources.uploads,
  };
  const problems = Object.entries(lacks)
    .filter(([, isLacking]) => isLacking)
    .map(([name]) => notSupported(name));
  const { rules } = platform;
  if (rules === undefined) return problems;
  return [
    ...problems,
    ...(target.kind === "name" ? nameProblems(target.name, rules) : []),
    ...refProblems(source.repoRef, desired.buildOnPush),
    ...typeProblems(desired, rules),
    ...secretProblems(desired, rules, cloudRegion(host) !== undefined),
  ];
}

function nameProblems(name: string, rules: PlatformRules): InputProblem[] {
  if (name === "" || (rules.name.test(name) && name.length <= rules.nameMaxLength)) return [];
  const problem = text`must consist of lowercase letters, digits and dashes, start with a letter and have at most ${rules.nameMaxLength} characters on this platform, not ${quote(name, 100)}`;
  return [{ input: "name", problem }];
}

function refProblems(ref: string | undefined, buildOnPush: boolean | undefined): InputProblem[] {
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

/** A misspelled type could be created for good. */
function typeProblems({ deploymentType = "" }: DesiredDeployment, rules: PlatformRules): InputProblem[] {
  const meant = closestType(deploymentType, rules);
  if (meant === undefined || meant === deploymentType) return [];
  const problem = text`must be a known type of deployment, not ${quote(deploymentType, 100)} (did you mean ${code(meant)}?)`;
  return [{ input: "deployment_type", problem }];
}

/** The known type that is the same or a misspelling away, as a new one will hardly be; undefined if none is. */
function closestType(type: string, rules: PlatformRules): string | undefined {
  return closestMatch(type.toLowerCase(), knownTypes(rules), { maxDistance: 2 });
}

function knownTypes({ deploymentTypes }: PlatformRules): string[] {
  return [...new Set(deploymentTypes.flat())];
}

function secretProblems(
  { secrets }: DesiredDeployment,
  { reservedSecrets, cloudReservedSecrets }: PlatformRules,
  isCloud: boolean,
): InputProblem[] {
  const reserved = isCloud ? [...reservedSecrets, ...cloudReservedSecrets] : reservedSecrets;
  return secrets.entries
    .filter(({ name }) => reserved.includes(name))
    .map(({ name }) => ({
      input: "secrets",
      problem: text`contains ${code(name)}, a name that the platform sets itself`,
      hint: text`Remove it from ${input("secrets")}, or rename it there and in the agent.`,
    }));
}

/** What is sent although the platform may refuse it. */
export function platformNotices(desired: DesiredDeployment, host: PlatformTarget): Message[] {
  const { rules } = host.platform;
  if (rules === undefined) return [];
  const isCloud = cloudRegion(host) !== undefined;
  return [...typeNotices(desired, rules), ...(isCloud ? [] : secretNotices(desired, rules))];
}

function typeNotices({ deploymentType }: DesiredDeployment, rules: PlatformRules): Message[] {
  if (deploymentType === undefined || closestType(deploymentType, rules) !== undefined) return [];
  const known = knownTypes(rules);
  const names = listed(known.map((type) => code(type)));
  // Whole words, such as `production`.
  const meant = known.find((type) => deploymentType.toLowerCase().startsWith(type));
  const question = meant === undefined ? undefined : text` Did you mean ${code(meant)}?`;
  return [
    text`The ${input("deployment_type")} ${quote(deploymentType, 100)} is not known to this action.${question} It is sent unchanged if the deployment is created; an existing deployment keeps its type. Known types: ${names}.`,
  ];
}

function secretNotices({ secrets }: DesiredDeployment, { cloudReservedSecrets }: PlatformRules): Message[] {
  const names = secrets.entries.map(({ name }) => name).filter((name) => cloudReservedSecrets.includes(name));
  if (names.length === 0) return [];
  return [
    text`The platform's cloud sets these secrets itself: ${listed(names.map((name) => code(name)))}. They are sent, because this control plane is not that cloud.`,
  ];
}

/** Names of secrets that an update removes: those that it sends replace all earlier ones. */
export function lostSecrets(
  { secrets }: Pick<UpdateRequest, "secrets">,
  { secretNames = [] }: Pick<Deployment, "secretNames">,
): readonly string[] {
  if (secrets === undefined) return [];
  return secretNames.filter((current) => !secrets.some(({ name }) => name === current));
}

/** What to warn of before a deployment is created; undefined if nothing. */
export function createWarning(
  { name, source_revision_config: { image_uri: imageUri } }: CreateRequest,
  host: PlatformTarget,
): Message | undefined {
  const { rules } = host.platform;
  if (rules === undefined) return undefined;
  // Image deployments always run self-hosted, even with the cloud's control plane.
  const isSelfHosted = cloudRegion(host) === undefined || imageUri !== null;
  const maxLength = rules.selfHostedNameMaxLength;
  if (!isSelfHosted || name.length <= maxLength) return undefined;
  return text`The name ${code(name)} has ${name.length} characters. A self-hosted installation serves a deployment whose name is longer than ${maxLength}, but never reports it as ready, so the revision eventually fails without a reason. Choose a shorter name; for a preview, set ${input("name_max_length")} to ${maxLength}.`;
}
