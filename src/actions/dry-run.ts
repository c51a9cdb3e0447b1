import { creatable } from "../deployment/create.ts";
import { locate, warnOfNoList } from "../deployment/locate.ts";
import { withoutFixedFields } from "../deployment/platform-rules.ts";
import { checkFixedInputs } from "../deployment/update.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import type { Ending } from "../progress/ending.ts";
import { showableRequest } from "../report/plan.ts";

/** `dry_run`: looks up what would be changed, and shows what would be sent, as the platform names its fields. */
export async function describeDryRun({
  plan,
  inputs,
  plane,
  progress,
  context,
}: DeploymentRun): Promise<Ending> {
  const located = await locate(plan, plane);
  const found = located.kind === "found" ? located.deployment : undefined;
  if (found) {
    progress.deployment(found, false);
    checkFixedInputs(plan, found);
  }
  if (located.kind === "missing" && !located.listed) warnOfNoList(progress.facts.title, context.log);
  const request = found
    ? withoutFixedFields(plan.update, plan.fixed, found)
    : await creatable(plan, { plane, context });
  const shown = showableRequest(request, inputs.controlPlane.platform);
  const what = found ? `update deployment ${found.id}` : `create deployment ${progress.facts.title}`;
  progress.note({ request: shown });
  context.log.group(`What would be sent to ${what}`);
  for (const line of shown.split("\n")) context.log.info(line);
  context.log.endGroup();
  return {
    outcome: "planned",
    message: `This run would ${what}; nothing was sent, because dry_run is true.`,
  };
}
