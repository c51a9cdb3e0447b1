import type { DeploymentRun } from "../deployment-run.ts";
import { withoutFixedFields } from "../plan/platform-rules.ts";
import type { Ending } from "../progress/ending.ts";
import { showableRequest } from "../report/plan.ts";
import { creatable } from "../write/create.ts";
import { locate, warnOfNoList } from "../write/locate.ts";
import { checkFixedInputs } from "../write/update.ts";

/** `dry_run`: looks up what would be changed, and shows what would be sent, as the platform names its fields. */
export async function describeDryRun({
  plan,
  inputs,
  plane,
  progress,
  ports,
}: DeploymentRun): Promise<Ending> {
  const located = await locate(plan, plane);
  const found = located.kind === "found" ? located.deployment : undefined;
  if (found) {
    progress.deployment(found, false);
    checkFixedInputs(plan, found);
  }
  if (located.kind === "missing" && !located.listed) warnOfNoList(progress.facts.title, ports.log);
  const request = found
    ? withoutFixedFields(plan.update, plan.fixed, found)
    : await creatable(plan, { plane, ports });
  const shown = showableRequest(request, inputs.controlPlane.platform);
  const what = found ? `update deployment ${found.id}` : `create deployment ${progress.facts.title}`;
  progress.note({ request: shown });
  ports.log.group(`What would be sent to ${what}`);
  for (const line of shown.split("\n")) ports.log.info(line);
  ports.log.endGroup();
  return {
    outcome: "planned",
    message: `This run would ${what}; nothing was sent, because dry_run is true.`,
  };
}
