import type { Deployment } from "../../platform/deployment.ts";
import type { DividedUpdate } from "../../platform/platform.ts";
import { code, inputName, listOf, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";

/** Returns the requests that update a deployment as planned. Warns if they remove secrets. */
export function planUpdate({ plan, settings, report }: DeployJob, deployment: Deployment): DividedUpdate {
  const { platform } = settings;
  const names = platform.removedSecrets(plan.update, deployment);
  if (names.length > 0) {
    const them = names.length === 1 ? text`it, list it` : text`them, list them`;
    report.warning(
      text`This update removes ${listOf(names.map((name) => code(name)))} from deployment ${code(deployment.id)}, because ${inputName("secrets")} replaces all earlier secrets. To keep ${them} in ${inputName("secrets")} too.`,
    );
  }
  return platform.divideUpdate(plan.update, deployment.sourceKind ?? plan.desired.sourceKind);
}
