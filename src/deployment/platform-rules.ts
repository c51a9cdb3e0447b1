import type { DesiredDeployment } from "../inputs/deploy.ts";
import type { InputProblem } from "../inputs/errors.ts";
import type { Target } from "../inputs/target.ts";
import type { Deployment, RevisionSource } from "../platform/deployment.ts";
import type { Platform, PlatformRules } from "../platform/platforms.ts";
import type { UpdateRequest } from "../platform/schemas.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { sameRepository } from "./repository.ts";

/** What breaks a rule that the platform would find late, or refuse without saying why (platform-field-notes, Rules). */
export function brokenRules(
  target: Target,
  desired: DesiredDeployment,
  source: RevisionSource,
  platform: Platform,
): InputProblem[] {
  const listener = desired.listenerId !== undefined && !platform.offers.listeners;
  const problems = listener
    ? [{ input: "listener_id", problem: "isn't known on this platform; see the input platform" }]
    : [];
  const { rules } = platform;
  if (rules === undefined) return problems;
  return [
    ...problems,
    ...(target.kind === "name" ? nameProblems(target.name, rules) : []),
    ...refProblems(source.repoRef, desired.buildOnPush, rules),
    ...typeProblems(desired.deploymentType, rules),
    ...desired.secrets.entries.flatMap(({ name }) => secretProblems(name, rules)),
  ];
}

function nameProblems(name: string, rules: PlatformRules): InputProblem[] {
  if (name === "" || (rules.name.test(name) && name.length <= rules.nameMaxLength)) return [];
  const rule = `has to be lower-case letters, digits and dashes, start with a letter and have at most ${rules.nameMaxLength} characters`;
  return [{ input: "name", problem: `${rule} on this platform, not "${sanitizeExcerpt(name, 100)}"` }];
}

function refProblems(
  ref: string | undefined,
  buildOnPush: boolean | undefined,
  rules: PlatformRules,
): InputProblem[] {
  if (ref === undefined) return [];
  if (rules.refusesCommits && /^[0-9a-f]{40}$/i.test(ref)) {
    return [
      {
        input: "repo_ref",
        problem: "has to be a branch or a tag (refs/tags/NAME): this platform doesn't deploy commits",
      },
    ];
  }
  if (rules.refusesTagsOnPush && buildOnPush === true && ref.startsWith("refs/tags/")) {
    return [{ input: "build_on_push", problem: "has to be false for a tag" }];
  }
  return [];
}

function typeProblems(type: string | undefined, rules: PlatformRules): InputProblem[] {
  if (type === undefined || rules.deploymentTypes.includes(type)) return [];
  return [
    {
      input: "deployment_type",
      problem: `has to be one of ${rules.deploymentTypes.join(", ")} on this platform`,
    },
  ];
}

function secretProblems(name: string, rules: PlatformRules): InputProblem[] {
  if (!rules.reservedSecrets.includes(name)) return [];
  return [{ input: "secrets", problem: `holds ${name}, a name that this platform sets itself` }];
}

/** A given input whose value can't change once the deployment exists. */
export interface FixedField {
  readonly input: PlatformRules["fixedInputs"][number];
  readonly value: string;
}

/** The inputs of this kind that were given. */
export function fixedFields(desired: DesiredDeployment, platform: Platform): FixedField[] {
  const given = {
    source: desired.source,
    integration_id: desired.integrationId,
    repo_url: desired.repoUrl,
    deployment_type: desired.deploymentType,
  };
  if (platform.rules === undefined) return [];
  return platform.rules.fixedInputs.flatMap((input) => {
    const value = given[input];
    return value === undefined ? [] : [{ input, value }];
  });
}

/** What was given and differs from what is there, where the platform shows it. */
export function changedFixedFields(fields: readonly FixedField[], deployment: Deployment): InputProblem[] {
  return fields.flatMap(({ input, value }) => {
    const there = shownFields(deployment)[input];
    if (there === undefined || sameValue(input, there, value)) return [];
    const problem = `can't change once the deployment exists: it is "${sanitizeExcerpt(there, 200)}", and this run asks for "${sanitizeExcerpt(value, 200)}"`;
    return [{ input, problem }];
  });
}

/** The update without what is there already and can't change: even to spell it another way would be refused. */
export function withoutFixedFields(
  update: UpdateRequest,
  fields: readonly FixedField[],
  deployment: Deployment,
): UpdateRequest {
  const { source_config: sourceConfig, ...rest } = update;
  if (sourceConfig === undefined) return update;
  const shown = shownFields(deployment);
  const there = new Set<string>(
    fields.filter(({ input }) => shown[input] !== undefined).map(({ input }) => input),
  );
  const kept = Object.entries(sourceConfig).filter(([name]) => !there.has(name));
  return kept.length === 0 ? rest : { source_config: Object.fromEntries(kept), ...rest };
}

function shownFields(deployment: Deployment): Readonly<Record<FixedField["input"], string | undefined>> {
  return {
    source: deployment.source,
    integration_id: deployment.integrationId,
    repo_url: deployment.repoUrl,
    deployment_type: deployment.deploymentType,
  };
}

function sameValue(input: FixedField["input"], one: string, other: string): boolean {
  return input === "repo_url" ? sameRepository(one, other) : one === other;
}
