import { titleOf } from "../inputs/control-plane.ts";
import { toWire } from "../platform/dialect.ts";
import type { Platform } from "../platform/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../platform/schemas.ts";
import { describeChange } from "../report/describe-deploy.ts";
import type { DeployResult, PlannedChange } from "../results.ts";
import type { SourceArchive } from "../source/archive.ts";
import { describeArchive, largestFiles } from "../source/source-files.ts";
import { formatSize } from "../text/format.ts";
import { text } from "../text/message.ts";
import { completeCreateRequest } from "./apply/create.ts";
import { type FindResult, warnOfMissingList } from "./apply/find-deployment.ts";
import { reportSideEffects } from "./apply/update.ts";
import type { DeployJob } from "./job.ts";
import { isLater } from "./plan/plan.ts";
import { planUpdate } from "./plan/plan-update.ts";

/** `dry_run`: shows the requests that would be sent. `existing`: what `findForUpdate` returned. */
export async function dryRun(job: DeployJob, existing: FindResult): Promise<DeployResult> {
  const { plan, settings, upload, report } = job;
  const title = titleOf(plan.target);
  if (existing.kind === "missing" && !existing.hasList) warnOfMissingList(job, title);
  const change: PlannedChange =
    existing.kind === "found"
      ? { kind: "update", deploymentId: existing.deployment.id }
      : { kind: "create", name: title };
  const requests = await requestsOf(job, existing);
  const shown = requests.map((request) => showableRequest(request, settings.platform)).join("\n");
  report.request(shown);
  const what = requests.length > 1 ? text`Requests` : text`Request`;
  report.group(text`${what} to ${describeChange(change)}`, shown.split("\n"));
  if (upload) reportArchive(job, upload);
  return { kind: "planned", change };
}

async function requestsOf(
  job: DeployJob,
  existing: FindResult,
): Promise<readonly (CreateRequest | UpdateRequest)[]> {
  const { plan, settings } = job;
  const { platform } = settings;
  if (existing.kind === "found") {
    const update = planUpdate(plan, platform, existing);
    reportSideEffects(job, existing, update.revision);
    return [...(update.settings ? [update.settings] : []), update.revision];
  }
  const create = await completeCreateRequest(job);
  return isLater(plan.desired, platform) ? [create, planUpdate(plan, platform, {}).revision] : [create];
}

/** What an upload would send. */
function reportArchive({ report }: DeployJob, archive: SourceArchive): void {
  const largest = largestFiles(archive.files, 5).map(({ path, bytes }) => `${formatSize(bytes)} ${path}`);
  report.group(text`Archive to upload: ${describeArchive(archive)}`, ["Largest files:", ...largest]);
}

/** A request with the platform's names of fields, and only the names of secrets. */
function showableRequest(request: CreateRequest | UpdateRequest, platform: Platform): string {
  const { secrets, ...rest } = request;
  const names = secrets && { secrets: secrets.map(({ name }) => `${name} (value not shown)`) };
  return JSON.stringify({ ...toWire(rest, platform), ...names }, null, 2);
}
