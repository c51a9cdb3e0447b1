import type { Ending } from "../errors.ts";
import { titleOf } from "../inputs/control-plane.ts";
import type { Variable } from "../inputs/variables.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { Platform } from "../platform/platform.ts";
import type { CreateRequest, UpdateRequest } from "../platform/schemas.ts";
import type { PlannedRequest } from "../report/state.ts";
import { describeArchive, largestFiles, type SourceArchive } from "../source/archive.ts";
import { formatSize } from "../text/format.ts";
import { code, id, text } from "../text/message.ts";
import { findCompared } from "./compared-deployment.ts";
import { completeCreateRequest } from "./create-request.ts";
import type { DeployJob } from "./job.ts";
import { planUpdate } from "./plan-update.ts";
import { requireSource } from "./require-source.ts";
import type { UnchangedRevision } from "./unchanged.ts";

/** `dry_run`: shows the requests that would be sent. */
export async function dryRun(
  job: DeployJob,
  existing: Deployment | undefined,
  unchanged: UnchangedRevision | undefined,
): Promise<Ending> {
  const { plan, upload, report } = job;
  if (unchanged !== undefined) {
    const { id: revisionId } = unchanged.live.revision;
    return {
      outcome: "planned",
      message: text`Dry run: nothing would be sent. Revision ${id(revisionId)} is live, unchanged since ${unchanged.since}.`,
    };
  }
  await findCompared(job, existing);
  await requireSource(job, existing);
  const requests = await plannedRequests(job, existing);
  report.set({ requests });
  for (const { request, body } of requests) {
    report.group(text`Request that would be sent: ${code(request)}`, body.split("\n"));
  }
  if (upload !== undefined) reportArchive(job, upload);
  const change =
    existing === undefined
      ? text`create deployment ${code(titleOf(plan.target))}`
      : text`update deployment ${code(existing.id)}`;
  return {
    outcome: "planned",
    message: text`Dry run: would ${change}. No changes were sent. No checks were run.`,
  };
}

async function plannedRequests(
  job: DeployJob,
  existing: Deployment | undefined,
): Promise<readonly PlannedRequest[]> {
  const { plan, settings, controlPlane } = job;
  const { platform } = settings;
  const { url } = controlPlane.api;
  const requestTo = (method: string, { pathname }: URL, body: CreateRequest | UpdateRequest) => ({
    request: `${method} ${pathname}`,
    body: showableBody(body, platform, plan.desired.envVars),
  });
  if (existing !== undefined) {
    const { id: deploymentId } = existing;
    const { settingsUpdate: changed, revisionUpdate: revision, method } = planUpdate(job, existing);
    return [
      ...(changed ? [requestTo("PATCH", url`/v2/deployments/${deploymentId}`, changed)] : []),
      method === "POST"
        ? requestTo("POST", url`/v2/deployments/${deploymentId}/revisions`, revision)
        : requestTo("PATCH", url`/v2/deployments/${deploymentId}`, revision),
    ];
  }
  const create = requestTo("POST", url`/v2/deployments`, await completeCreateRequest(job));
  const { sourceKind } = plan.desired;
  if (!platform.createsWithoutRevision(sourceKind)) return [create];
  const { revisionUpdate: revision } = platform.divideUpdate(plan.update, sourceKind);
  // The platform chooses the id.
  return [create, requestTo("PATCH", url`/v2/deployments/NEW_ID`, revision)];
}

/** What an upload would send. */
function reportArchive({ report }: DeployJob, archive: SourceArchive): void {
  const largest = largestFiles(archive.files, 5).map(({ path, bytes }) => `${formatSize(bytes)} ${path}`);
  report.group(text`Archive to upload: ${describeArchive(archive)}`, ["Largest files:", ...largest]);
}

/** The body of a request as it is sent, but for the values of secrets. */
function showableBody(
  request: CreateRequest | UpdateRequest,
  platform: Platform,
  envVars: readonly Variable[],
): string {
  const isShown = (name: string) => envVars.some((variable) => variable.name === name);
  const secrets = request.secrets?.map(({ name, value }) => ({
    name,
    value: isShown(name) ? value : "(not shown)",
  }));
  const hidden = secrets && { secrets };
  return JSON.stringify(platform.encode({ ...request, ...hidden }), null, 2);
}
