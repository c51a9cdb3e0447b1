import type { SuccessEnding } from "../errors.ts";
import type { Deployment } from "../platform/deployment.ts";
import { nameOrIdOf } from "../platform/target.ts";
import { describeArchive, largestFiles, type SourceArchive } from "../source/archive.ts";
import type { ShownRequest } from "../state/run-state.ts";
import { formatSize } from "../text/format.ts";
import { code, phrase, text } from "../text/message.ts";
import type { DeployContext } from "./deploy-context.ts";
import { prepareCreate } from "./make/prepare-create.ts";
import { prepareUpdate } from "./make/prepare-update.ts";

/** Prints the requests that a deploy would send. @throws Failure for what would end it before the first of them */
export async function dryRun(
  context: DeployContext,
  existing: Deployment | undefined,
): Promise<SuccessEnding> {
  const { archive, report, plan } = context;
  const { desired } = plan;
  const secrets = desired.secrets.map(({ name }) => ({ name, value: "(not shown)" }));
  const shown = { ...context, plan: { ...plan, desired: { ...desired, secrets } } };
  const requests = await requestsToShow(shown, existing);
  report.set({ requests });
  for (const { request, body } of requests) {
    report.group(text`Request that would be sent: ${code(request)}`, body.split("\n"));
  }
  if (archive !== undefined) reportArchive(context, archive);
  const change =
    existing === undefined
      ? phrase`create deployment ${code(nameOrIdOf(plan.target))}`
      : phrase`update deployment ${code(existing.id)}`;
  return {
    outcome: "planned",
    message: text`Dry run: would ${change}. No changes were sent. No checks were run.`,
  };
}

async function requestsToShow(
  context: DeployContext,
  existing: Deployment | undefined,
): Promise<readonly ShownRequest[]> {
  const { controlPlane, settings, plan } = context;
  const { platform } = settings;
  const requests = [];
  if (existing === undefined) {
    const name = nameOrIdOf(plan.target);
    requests.push(controlPlane.createRequest(name, await prepareCreate(context, name)));
  }
  if (existing !== undefined || platform.createsWithoutRevision(plan.desired.sourceKind)) {
    // The platform chooses the id of a new deployment.
    const deployment = existing ?? { id: "NEW_ID", sourceKind: undefined, secretNames: undefined };
    const { config, revision } = prepareUpdate(context, deployment);
    const updates = [config, revision].filter((request) => request !== undefined);
    requests.push(...updates.map((request) => controlPlane.updateRequest(deployment.id, request)));
  }
  return requests.map(({ method, path, body }) => {
    return { request: `${method} ${path}`, body: JSON.stringify(body, null, 2) };
  });
}

function reportArchive({ report }: DeployContext, archive: SourceArchive): void {
  const largest = largestFiles(archive.files, 5).map(({ path, bytes }) => `${formatSize(bytes)} ${path}`);
  report.group(text`Archive to upload: ${describeArchive(archive)}`, ["Largest files:", ...largest]);
}
