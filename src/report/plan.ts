import type { DeploymentPlan } from "../deployment/plan.ts";
import { toWire } from "../platform/dialect.ts";
import type { Platform } from "../platform/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../platform/schemas.ts";

/** A request as it may be shown and as the platform names its fields: of secrets only the names. */
export function showableRequest(request: CreateRequest | UpdateRequest, platform: Platform): string {
  const { secrets, ...rest } = request;
  const names = secrets && { secrets: secrets.map(({ name }) => `${name} (value not shown)`) };
  return JSON.stringify({ ...toWire(rest, platform), ...names }, null, 2);
}

/** What this run deploys, in a few words. */
export function describeSource(plan: DeploymentPlan): string | undefined {
  return plan.source.imageUri ?? plan.source.repoRef;
}

/** What will be done, in a sentence. */
export function describePlan(plan: DeploymentPlan): string {
  const what = describeSource(plan) ?? "what the platform has";
  return plan.target.kind === "id"
    ? `Update deployment ${plan.target.id} to ${what}.`
    : `Deploy ${what} as ${plan.target.name}: update the deployment of that name, or create it.`;
}
