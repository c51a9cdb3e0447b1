import type { DesiredDeployment } from "../../inputs/deploy.ts";
import type { InputProblem } from "../../inputs/reader.ts";
import type { Target } from "../../inputs/target.ts";
import type { Deployment, RevisionSource } from "../../platform/deployment.ts";
import {
  cloudRegion,
  type Platform,
  type PlatformRules,
  type PlatformTarget,
} from "../../platform/platforms.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { isSameRepository } from "./compare-source.ts";

/** Problems of the inputs that the platform would report late, or without a reason. */
export function brokenRules(
  target: Target,
  desired: DesiredDeployment,
  source: RevisionSource,
  host: PlatformTarget,
): InputProblem[] {
  const { platform } = host;
  const isMissing = {
    listener_id: desired.listenerId !== undefined && !platform.capabilities.listeners,
    source_path: desired.upload !== undefined && !platform.capabilities.uploads,
  };
  const problems = Object.entries(isMissing)
    .filter(([, missing]) => missing)
    .map(([input]) => ({ input, problem: "is not supported on this platform; see the input platform" }));
  const { rules } = platform;
  if (rules === undefined) return problems;
  return [
    ...problems,
    ...(target.kind === "name" ? nameProblems(target.name, rules) : []),
    ...refProblems(source.repoRef, desired.buildOnPush, rules),
    ...secretProblems(desired, rules, cloudRegion(host) !== undefined),
  ];
}

function nameProblems(name: string, rules: PlatformRules): InputProblem[] {
  if (name === "" || (rules.name.test(name) && name.length <= rules.nameMaxLength)) return [];
  const rule = `must consist of lower-case letters, digits and dashes, start with a letter and have at most ${rules.nameMaxLength} characters`;
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
        problem: "must be a branch or a tag (refs/tags/NAME): this platform does not deploy commits",
      },
    ];
  }
  if (rules.refusesTagsOnPush && buildOnPush === true && ref.startsWith("refs/tags/")) {
    return [{ input: "build_on_push", problem: "must be false for a tag" }];
  }
  return [];
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
      problem: `contains ${name}, a name that the platform sets itself`,
    }));
}

/** A given input whose value is fixed once the deployment exists. */
export interface FixedField {
  readonly input: PlatformRules["immutableInputs"][number];
  readonly value: string;
  /** The values that are known to be others; undefined if every one is. */
  readonly others?: readonly string[];
  /** Whether `source_path` gave it. */
  readonly isUpload?: boolean;
}

/** The given inputs whose values are fixed. */
export function fixedFields(desired: DesiredDeployment, platform: Platform): FixedField[] {
  const given = {
    source: desired.source,
    integration_id: desired.integrationId,
    repo_url: desired.repoUrl,
    deployment_type: desired.deploymentType,
  };
  if (platform.rules === undefined) return [];
  return platform.rules.immutableInputs.flatMap((input) => {
    const value = given[input];
    if (value === undefined) return [];
    const isType = input === "deployment_type";
    const isUpload = input === "source" && desired.upload !== undefined;
    const others = isType ? { others: otherTypes(value, platform.rules) } : {};
    return [{ input, value, ...others, ...(isUpload && { isUpload }) }];
  });
}

/** The types that exclude this one. Another group may have another word for it, and so may a type that is not known. */
function otherTypes(type: string, rules: PlatformRules | undefined): string[] {
  const group = rules?.deploymentTypes.find((types) => types.includes(type)) ?? [];
  return group.filter((other) => other !== type);
}

/** Given inputs that differ from what the deployment shows. */
export function changedFixedFields(fields: readonly FixedField[], deployment: Deployment): InputProblem[] {
  return fields.flatMap(({ input, value, others, isUpload }) => {
    const current = shownFields(deployment)[input];
    if (current === undefined || isSameValue(input, current, value)) return [];
    if (others?.includes(current) === false) return [];
    if (isUpload) return [notAnUpload(current)];
    const problem = `can't change once the deployment exists: it is "${sanitizeExcerpt(current, 200)}", not "${sanitizeExcerpt(value, 200)}"`;
    return [{ input, problem }];
  });
}

/**
 * Why the run can't update a deployment, by the source that the deployment shows. The platform may accept the update, and
 * build again what it had before.
 */
export function problemsBySource(
  desired: DesiredDeployment,
  platform: Platform,
): ReadonlyMap<string, InputProblem> {
  const isGiven = { source_path: desired.upload !== undefined, image_uri: desired.imageUri !== undefined };
  const required = Object.entries(platform.rules?.requiredInputs ?? {});
  const problems = required
    .filter(([, input]) => !isGiven[input])
    .map(([source, input]) => {
      const problem = `is required, because the deployment's source is "${source}", and a source can't change once the deployment exists`;
      return [source, { input, problem }] as const;
    });
  return new Map(problems);
}

function notAnUpload(source: string): InputProblem {
  const problem = `can't be used: the deployment's source is "${sanitizeExcerpt(source, 200)}", and a source can't change once the deployment exists. Choose another name`;
  return { input: "source_path", problem };
}

/** The given fields that a deployment shows. */
export function shownFixedFields(fields: readonly FixedField[], deployment: Deployment): FixedField[] {
  const shown = shownFields(deployment);
  return fields.filter(({ input }) => shown[input] !== undefined);
}

/** The update without fields that are fixed and known: the platform would refuse even another spelling. */
export function withoutFixedFields(update: UpdateRequest, fields: readonly FixedField[]): UpdateRequest {
  const { source_config: sourceConfig, ...rest } = update;
  if (sourceConfig === undefined) return update;
  const omitted = new Set<string>(fields.map(({ input }) => input));
  const kept = Object.entries(sourceConfig).filter(([name]) => !omitted.has(name));
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

function isSameValue(input: FixedField["input"], one: string, other: string): boolean {
  return input === "repo_url" ? isSameRepository(one, other) : one === other;
}
