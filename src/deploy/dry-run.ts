import { titleOf } from "../inputs/control-plane.ts";
import { toWire } from "../platform/dialect.ts";
import type { Platform } from "../platform/platforms.ts";
import { routesBelow } from "../platform/routes.ts";
import type { CreateRequest, UpdateRequest } from "../platform/schemas.ts";
import type { DryRunChange, DryRunRequest } from "../results/deploy.ts";
import { describeArchive, largestFiles, type SourceArchive } from "../source/archive.ts";
import { formatSize } from "../text/format.ts";
import { code, text } from "../text/message.ts";
import { completeCreateRequest } from "./apply/create.ts";
import { type ExistingDeployment, warnOfMissingList } from "./apply/find-deployment.ts";
import { reportSideEffects } from "./apply/update.ts";
import type { DeployJob } from "./job.ts";
import { divideUpdate } from "./plan/divide-update.ts";
import { sourceFollowsCreate } from "./plan/plan.ts";

/** `dry_run`: shows the requests that would be sent, and returns what they would do. */
export async function dryRun(job: DeployJob, existing: ExistingDeployment): Promise<DryRunChange> {
  const { plan, upload, report } = job;
  const title = titleOf(plan.target);
  if (existing.kind === "missing" && !existing.hasList) warnOfMissingList(job, title);
  const change: DryRunChange =
    existing.kind === "found"
      ? { kind: "update", deploymentId: existing.deployment.id }
      : { kind: "create", name: title };
  const requests = await requestsOf(job, existing);
  report.setFacts({ requests });
  for (const { request, body } of requests) {
    report.group(text`Request that would be sent: ${code(request)}`, body.split("\n"));
  }
  if (upload) reportArchive(job, upload);
  return change;
}

async function requestsOf(job: DeployJob, existing: ExistingDeployment): Promise<readonly DryRunRequest[]> {
  const { plan, settings } = job;
  const { platform } = settings;
  const routes = routesBelow(settings.url);
  const requestTo = (method: string, { pathname }: URL, body: CreateRequest | UpdateRequest) => ({
    request: `${method} ${pathname}`,
    body: showableBody(body, platform),
  });
  if (existing.kind === "found") {
    const { settings: changed, revision, isPosted } = divideUpdate(plan, platform, existing);
    reportSideEffects(job, existing, revision);
    const { id } = existing.deployment;
    return [
      ...(changed ? [requestTo("PATCH", routes.deployment(id), changed)] : []),
      isPosted
        ? requestTo("POST", routes.newRevision(id), revision)
        : requestTo("PATCH", routes.deployment(id), revision),
    ];
  }
  const create = requestTo("POST", routes.deployments(), await completeCreateRequest(job));
  if (!sourceFollowsCreate(plan.desired, platform)) return [create];
  // The platform chooses the id.
  return [create, requestTo("PATCH", routes.deployment("NEW_ID"), divideUpdate(plan, platform, {}).revision)];
}

/** What an upload would send. */
function reportArchive({ report }: DeployJob, archive: SourceArchive): void {
  const largest = largestFiles(archive.files, 5).map(({ path, bytes }) => `${formatSize(bytes)} ${path}`);
  report.group(text`Archive to upload: ${describeArchive(archive)}`, ["Largest files:", ...largest]);
}

/** The body of a request with the platform's names of fields, and only the names of secrets. */
function showableBody(request: CreateRequest | UpdateRequest, platform: Platform): string {
  const { secrets, ...rest } = request;
  const names = secrets && { secrets: secrets.map(({ name }) => `${name} (value not shown)`) };
  return JSON.stringify(toWire({ ...rest, ...names }, platform), null, 2);
}
