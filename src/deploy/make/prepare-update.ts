import type { Deployment } from "../../platform/deployment.ts";
import { code, inputName, listOf, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";

/**
 * Returns the requests of an update, and the content that they deploy. Warns of the secrets that they remove.
 *
 * `tarballPath`: the platform's name for the uploaded archive.
 */
export function prepareUpdate(
  { plan, settings, report }: DeployContext,
  deployment: Pick<Deployment, "sourceKind" | "secretNames"> & { readonly id: string },
  tarballPath?: string,
) {
  const { sourceKind = plan.desired.sourceKind } = deployment;
  const content = { ...plan.desired.content, tarballPath };
  const desired = { ...plan.desired, sourceKind, content };
  const names = settings.platform.removedSecrets(desired, deployment);
  if (names.length > 0) {
    report.warning(
      text`This update removes ${listOf(names.map((name) => code(name)))} from deployment ${code(deployment.id)}, because ${inputName("secrets")} and ${inputName("env_vars")} together replace all earlier variables. To keep one, add it to ${inputName("secrets")}, or to ${inputName("env_vars")} if it is not secret.`,
    );
  }
  return { ...settings.platform.updateRequests(desired), content };
}
