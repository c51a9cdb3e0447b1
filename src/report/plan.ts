import type { CreateRequest, UpdateRequest } from "../control-plane/schemas.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";

/** A request as it may be shown: of secrets only the names. */
export function showableRequest(request: CreateRequest | UpdateRequest): string {
  const { secrets, ...rest } = request;
  const shown =
    secrets === undefined
      ? rest
      : { ...rest, secrets: secrets.map(({ name }) => `${name} (value not shown)`) };
  return JSON.stringify(shown, null, 2);
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
