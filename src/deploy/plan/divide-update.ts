import type { DesiredDeployment } from "../../inputs/deploy.ts";
import { isSameRepository } from "../../platform/compare-source.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { Platform } from "../../platform/platforms.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import { sourceKinds } from "../../platform/source-kinds.ts";
import { withoutImmutable } from "./immutable.ts";
import type { DeployPlan } from "./plan.ts";

/** An update of a deployment in its parts, each of which is a request. */
export interface DividedUpdate {
  /** The settings that make no revision, which are sent first; undefined if the deployment shows them already. */
  readonly settings: UpdateRequest | undefined;
  /** The rest, which makes the revision. */
  readonly revision: UpdateRequest;
  /** Whether `POST …/revisions` makes the revision, if the platform has it. */
  readonly isPosted: boolean;
}

/** An update before it is divided: that of a plan, or one that a rollback makes. */
interface WholeUpdate extends Pick<DeployPlan, "update"> {
  readonly desired: Partial<Pick<DesiredDeployment, "sourceKind" | "upload">>;
}

/** What is updated. */
interface Updatable {
  /** Undefined if this run created it, with everything but its source. */
  readonly deployment?: Deployment;
  /** The new URL of its repository, which was renamed or transferred. */
  readonly movedTo?: string | undefined;
}

/** Divides an update into what each request to this platform takes (docs/specification.md#what-is-sent). */
export function divideUpdate(
  { update, desired }: WholeUpdate,
  platform: Platform,
  { deployment, movedTo }: Updatable,
): DividedUpdate {
  const { source_config: wanted = {}, ...rest } = withoutImmutable(update, deployment, platform);
  const source = deployment?.source ?? desired.sourceKind;
  const config = { ...sentConfig(wanted, source), ...(movedTo !== undefined && { repo_url: movedTo }) };
  if (deployment === undefined) delete config.repo_url;
  const isImage = source === sourceKinds.ownImage && platform.sources.ownImages;
  if (
    !platform.updates.postRevisions ||
    deployment === undefined ||
    desired.upload !== undefined ||
    isImage
  ) {
    const revision: UpdateRequest = { ...withConfig(config), ...rest };
    if (isImage) revision.revision_source = sourceKinds.ownImage;
    return { settings: undefined, revision, isPosted: false };
  }
  const { resource_spec: resources } = config;
  const changed = withConfig(changedSettings(config, deployment));
  return {
    settings: changed.source_config && changed,
    revision: { ...withConfig(resources === undefined ? {} : { resource_spec: resources }), ...rest },
    isPosted: true,
  };
}

/**
 * The names of the settings that make no revision and that a deployment does not show as an update would send them: somebody
 * may have changed them on the platform.
 */
export function differingSettings({ update, desired }: WholeUpdate, deployment: Deployment): string[] {
  const source = deployment.source ?? desired.sourceKind;
  const changed = changedSettings(sentConfig(update.source_config ?? {}, source), deployment);
  return ["build_on_push", "custom_url"].filter((name) => name in changed);
}

/** The platform takes `build_on_push` for source `github` only. */
function sentConfig({ build_on_push, ...others }: SourceConfig, source: string | undefined): SourceConfig {
  const isSent = source === sourceKinds.github && build_on_push !== undefined;
  return isSent ? { ...others, build_on_push } : others;
}

/** Whether a deployment shows all that these settings ask for. */
export function showsSettings({ source_config = {} }: UpdateRequest, deployment: Deployment): boolean {
  return Object.keys(changedSettings(source_config, deployment)).length === 0;
}

/** The names of these settings of which a deployment shows another value. One that it does not show says nothing. */
export function contradictedSettings(
  { source_config = {} }: UpdateRequest,
  deployment: Deployment,
): string[] {
  const { repoUrl: repo_url, buildOnPush: build_on_push, customUrl: custom_url } = deployment;
  const changed = changedSettings(source_config, deployment);
  const values = Object.entries({ repo_url, build_on_push, custom_url });
  return values.flatMap(([name, value]) => (value !== undefined && name in changed ? [name] : []));
}

type SourceConfig = NonNullable<UpdateRequest["source_config"]>;

function withConfig(config: SourceConfig): UpdateRequest {
  return Object.keys(config).length === 0 ? {} : { source_config: config };
}

/**
 * The settings that make no revision and that the deployment does not show to be so already. What is fixed once the deployment
 * exists is none of them.
 */
function changedSettings(wanted: SourceConfig, deployment: Deployment): SourceConfig {
  const { repo_url: repoUrl, build_on_push: buildOnPush, custom_url: customUrl } = wanted;
  const isSameUrl =
    repoUrl != null && deployment.repoUrl !== undefined && isSameRepository(repoUrl, deployment.repoUrl);
  return {
    ...(repoUrl != null && !isSameUrl && { repo_url: repoUrl }),
    ...(buildOnPush !== undefined &&
      buildOnPush !== deployment.buildOnPush && { build_on_push: buildOnPush }),
    ...(customUrl != null && customUrl !== deployment.customUrl && { custom_url: customUrl }),
  };
}
