import type { DesiredDeployment } from "../../inputs/deploy.ts";
import { quote } from "../../inputs/reader.ts";
import type { Target } from "../../inputs/target.ts";
import { cloudRegion, type PlatformRules, type PlatformTarget } from "../../platform/platforms.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";

/** What is sent although the platform may refuse it, as sentences. */
export function platformNotices(desired: DesiredDeployment, host: PlatformTarget): string[] {
  const { rules } = host.platform;
  if (rules === undefined) return [];
  const isCloud = cloudRegion(host) !== undefined;
  return [...typeNotices(desired, rules), ...(isCloud ? [] : secretNotices(desired, rules))];
}

function typeNotices({ deploymentType }: DesiredDeployment, { deploymentTypes }: PlatformRules): string[] {
  const known = deploymentTypes.flat();
  if (deploymentType === undefined || known.includes(deploymentType)) return [];
  return [
    `The deployment_type ${quote(deploymentType)} is not known to this action and is sent as it is. Known types: ${known.join(", ")}.`,
  ];
}

function secretNotices({ secrets }: DesiredDeployment, { cloudReservedSecrets }: PlatformRules): string[] {
  const names = secrets.entries.map(({ name }) => name).filter((name) => cloudReservedSecrets.includes(name));
  if (names.length === 0) return [];
  return [
    `The platform's cloud sets these secrets itself: ${names.join(", ")}. They are sent, because this control plane is not that cloud.`,
  ];
}

/** What to warn of before a deployment is created; undefined if nothing. */
export function createWarning(
  target: Target,
  desired: DesiredDeployment,
  host: PlatformTarget,
): string | undefined {
  const { rules } = host.platform;
  if (target.kind === "id" || rules === undefined) return undefined;
  // Images run on hosts of one's own, even if the cloud controls them.
  const isSelfHosted = cloudRegion(host) === undefined || desired.imageUri !== undefined;
  const maxLength = rules.selfHostedNameMaxLength;
  if (!isSelfHosted || target.name.length <= maxLength) return undefined;
  return `The name ${sanitizeExcerpt(target.name, 100)} has ${target.name.length} characters. A self-hosted installation serves a deployment whose name is longer than ${maxLength}, but never reports it as ready, so the revision fails in the end without a reason. Choose a shorter name; for a preview, set name_max_length to ${maxLength}.`;
}
