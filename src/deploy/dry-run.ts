import { titleOf } from "../inputs/control-plane.ts";
import type { Platform } from "../platform/platform.ts";
import { routesBelow } from "../platform/routes.ts";
import type { CreateRequest, UpdateRequest } from "../platform/schemas.ts";
import type { DryRunChange, DryRunRequest } from "../results/deploy.ts";
import { describeArchive, largestFiles, type SourceArchive } from "../source/archive.ts";
import { formatSize } from "../text/format.ts";
import { code, text } from "../text/message.ts";
import { completeCreateRequest } from "./apply/create.ts";
import { type ExistingDeployment, warnOfMissingList } from "./apply/find-deployment.ts";
import { warnOfRemovedSecrets } from "./apply/update.ts";
import type { DeployJob } from "./job.ts";

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
    const { id, source = plan.desired.sourceKind } = existing.deployment;
    const { settings: changed, revision, isPosted } = platform.divideUpdate(plan.update, source);
    warnOfRemovedSecrets(job, existing.deployment);
    return [
      ...(changed ? [requestTo("PATCH", routes.deployment(id), changed)] : []),
      isPosted
        ? requestTo("POST", routes.newRevision(id), revision)
        : requestTo("PATCH", routes.deployment(id), revision),
    ];
  }
  const create = requestTo("POST", routes.deployments(), await completeCreateRequest(job));
  const { sourceKind } = plan.desired;
  if (!platform.createsWithoutRevision(sourceKind)) return [create];
  const { revision } = platform.divideUpdate(plan.update, sourceKind);
  // The platform chooses the id.
  return [create, requestTo("PATCH", routes.deployment("NEW_ID"), revision)];
}

/** What an upload would send. */
function reportArchive({ report }: DeployJob, archive: SourceArchive): void {
  const largest = largestFiles(archive.files, 5).map(({ path, bytes }) => `${formatSize(bytes)} ${path}`);
  report.group(text`Archive to upload: ${describeArchive(archive)}`, ["Largest files:", ...largest]);
}

/** The body of a request as it is sent, but for the values of secrets. */
function showableBody(request: CreateRequest | UpdateRequest, platform: Platform): string {
  const { secrets } = request;
  const hidden = secrets && { secrets: secrets.map(({ name }) => ({ name, value: "(not shown)" })) };
  return JSON.stringify(platform.encode({ ...request, ...hidden }), null, 2);
}
