import type { Deployment } from "../platform/deployment.ts";
import { code, input, listed, text } from "../text/message.ts";
import type { DeployJob } from "./job.ts";

/** Warns of secrets that an update removes. */
export function warnOfRemovedSecrets({ plan, settings, report }: DeployJob, deployment: Deployment): void {
  const names = settings.platform.removedSecrets(plan.update, deployment);
  if (names.length === 0) return;
  const them = names.length === 1 ? text`it, list it` : text`them, list them`;
  report.warning(
    text`This update removes ${listed(names.map((name) => code(name)))} from deployment ${code(deployment.id)}, because ${input("secrets")} replaces all earlier secrets. To keep ${them} in ${input("secrets")} too.`,
  );
}
