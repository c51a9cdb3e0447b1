import { type Context, withControlPlane } from "../context.ts";
import { deleteIfFound } from "../deployments/delete-deployment.ts";
import { lookUpByName } from "../deployments/look-up-deployment.ts";
import type { SuccessEnding } from "../errors.ts";
import { readControlPlane, readTarget } from "../inputs/read-control-plane.ts";
import { InputReader } from "../inputs/reader.ts";
import { reportedNamesOf } from "../platform/target.ts";
import { inputName } from "../text/message.ts";

/** The delete action: deletes one deployment, by id or by exact name. */
export async function deleteAction(context: Context): Promise<SuccessEnding> {
  const { report } = context;
  const reader = new InputReader(context.env);
  const settings = readControlPlane(reader);
  const target = readTarget(reader);
  report.set(reportedNamesOf(target));
  reader.finish(report);

  const platformContext = withControlPlane(context, settings);
  if (target.kind === "name") {
    const found = await lookUpByName(platformContext, target.name, inputName("deployment_id"));
    return await deleteIfFound(platformContext, found?.id, target.name);
  }
  // An ID needs no lookup: the deletion shows whether it exists.
  return await deleteIfFound(platformContext, target.id, target.id);
}
