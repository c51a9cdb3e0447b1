import type { Ending } from "../../ending.ts";
import type { RunContext } from "../../events.ts";
import { titleOf } from "../../inputs/target.ts";
import { toWire } from "../../platform/dialect.ts";
import type { Platform } from "../../platform/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../../platform/schemas.ts";
import type { SourceArchive } from "../../source/archive.ts";
import { describeArchive, largestFiles } from "../../source/source-files.ts";
import { formatMebibytes } from "../../text/format.ts";
import { createRequestOf } from "../apply/create.ts";
import { locateDeployment, warnOfMissingList } from "../apply/find-deployment.ts";
import { checkFixedInputs } from "../apply/update.ts";
import type { PlannedDeployment } from "../planned-deployment.ts";
import { shownFixedFields, withoutFixedFields } from "./rules.ts";

/** `dry_run`: finds what would be changed, and shows the request that would be sent. */
export async function dryRun(
  { plan, inputs, controlPlane, upload }: PlannedDeployment,
  context: RunContext,
): Promise<Ending> {
  const title = titleOf(plan.target);
  const located = await locateDeployment(plan.target, plan.repoUrl, controlPlane);
  const found = located.kind === "found" ? located.deployment : undefined;
  if (found) {
    await context.emit({ kind: "deployment_seen", deployment: found, created: false });
    checkFixedInputs(plan, found);
  }
  if (located.kind === "missing" && !located.hasList) warnOfMissingList(title, context.log);
  const request = found
    ? withoutFixedFields(plan.update, shownFixedFields(plan.fixed, found))
    : await createRequestOf(plan, controlPlane, context);
  // A create from an upload makes no revision: the update after it does.
  const requests = found || upload === undefined ? [request] : [request, plan.update];
  const shown = requests.map((one) => showableRequest(one, inputs.controlPlane.platform)).join("\n");
  const what = found ? `update deployment ${found.id}` : `create deployment ${title}`;
  await context.emit({ kind: "request_prepared", request: shown });
  context.log.group(`${requests.length > 1 ? "Requests" : "Request"} to ${what}`);
  for (const line of shown.split("\n")) context.log.info(line);
  context.log.endGroup();
  if (upload) logArchive(upload.archive, context);
  return { outcome: "planned", headline: `Dry run: would ${what}. No changes were sent.` };
}

/** What an upload would send. */
function logArchive(archive: SourceArchive, { log }: RunContext): void {
  log.group(`Archive to upload: ${describeArchive(archive)}`);
  log.info("Largest files:");
  for (const { path, bytes } of largestFiles(archive.files, 5)) log.info(`${formatMebibytes(bytes)} ${path}`);
  log.endGroup();
}

/** A request with the platform's names of fields, and only the names of secrets. */
export function showableRequest(request: CreateRequest | UpdateRequest, platform: Platform): string {
  const { secrets, ...rest } = request;
  const names = secrets && { secrets: secrets.map(({ name }) => `${name} (value not shown)`) };
  return JSON.stringify({ ...toWire(rest, platform), ...names }, null, 2);
}
