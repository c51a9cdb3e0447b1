import type { PlatformSite, RunContext } from "../events.ts";
import type { GitHubClient } from "../github/client.ts";
import { retryUntil } from "../http/retry.ts";
import type { DeployInputs } from "../inputs/deploy.ts";
import type { InputReader } from "../inputs/reader.ts";
import { type Target, titleOf } from "../inputs/target.ts";
import { ControlPlane, type ControlPlaneSettings } from "../platform/control-plane.ts";
import { cloudRegion } from "../platform/platforms.ts";
import type { PreparedUpload } from "./apply/prepared-upload.ts";
import { type DeploymentPlan, describePlan, describeSource, planDeployment } from "./plan/plan.ts";
import { checkSourceExists } from "./plan/preflight.ts";

/** A deployment that is planned and checked, and what it is carried out with. */
export interface PlannedDeployment {
  readonly plan: DeploymentPlan;
  readonly inputs: DeployInputs;
  readonly controlPlane: ControlPlane;
  /** What to upload before the update that makes the revision. */
  readonly upload: PreparedUpload | undefined;
  /** No request of `controlPlane` is retried after this time; milliseconds since the epoch. */
  readonly deadline: number;
}

/** Plans a deployment from its inputs. What is wrong with them stays in the reader. */
export async function planFromInputs(
  target: Target,
  inputs: DeployInputs,
  reader: InputReader,
  { workflow, emit }: RunContext,
): Promise<DeploymentPlan> {
  const { plan, problems, notices } = planDeployment(target, inputs.desired, workflow, inputs.controlPlane);
  for (const { input, problem } of problems) reader.reject(input, problem);
  for (const notice of notices) reader.note("notice", notice);
  await emit({
    kind: "planned",
    title: titleOf(target),
    name: target.kind === "name" ? target.name : undefined,
    source: describeSource(plan),
    site: siteOf(inputs.controlPlane),
  });
  return plan;
}

/** Only the vendor's cloud has known pages. */
export function siteOf(settings: ControlPlaneSettings): PlatformSite | undefined {
  const region = cloudRegion(settings);
  const { "x-tenant-id": workspaceId = "" } = settings.headers;
  return region && { url: region.console, workspaceId };
}

/**
 * Checks a planned deployment and logs what will be done. Its time starts here.
 *
 * @throws like `checkSourceExists`.
 */
export async function prepareDeployment(
  plan: DeploymentPlan,
  inputs: DeployInputs,
  upload: PreparedUpload | undefined,
  github: GitHubClient | undefined,
  context: RunContext,
): Promise<PlannedDeployment> {
  const { log, clock } = context;
  const deadline = clock.now() + inputs.mode.timeoutMs;
  const controlPlane = new ControlPlane(inputs.controlPlane, context, retryUntil(deadline));
  await checkSourceExists(plan, github, controlPlane, context);
  log.info(describePlan(plan));
  for (const name of inputs.desired.secrets.quoted) {
    log.warning(
      `The value of secret ${name} is in quotes, which are sent as part of it. Remove them if they are not meant.`,
    );
  }
  return { plan, inputs, controlPlane, upload, deadline };
}
