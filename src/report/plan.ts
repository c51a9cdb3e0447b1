import { toWire } from "../control-plane/dialect.ts";
import type { Platform } from "../control-plane/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../control-plane/schemas.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";

/** A request as it may be shown and as the platform names its fields: of secrets only the names. */
export function showableRequest(request: CreateRequest | UpdateRequest, platform: Platform): string {
  const { secrets, ...rest } = request;
  const names = secrets && { secrets: secrets.map(({ name }) => `${name} (value not shown)`) };
  return JSON.stringify({ ...toWire(rest, platform), ...names }, null, 2);
}

/** What this run deploys, in a few words. */
export function spellSource(plan: DeploymentPlan): string | undefined {
  return plan.source.imageUri ?? plan.source.repoRef;
}

/** What will be done, in a sentence. */
export function spellPlan(plan: DeploymentPlan): string {
  const what = spellSource(plan) ?? "what the platform has";
  return plan.target.kind === "id"
    ? `Update deployment ${plan.target.id} to ${what}.`
    : `Deploy ${what} as ${plan.target.name}: update the deployment of that name, or create it.`;
}
