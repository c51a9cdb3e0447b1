import type { Ending } from "../errors.ts";
import { id, text, url } from "../text/message.ts";
import { afterFailure } from "./after-failure.ts";
import { check, passedChecks } from "./check.ts";
import { findCompared } from "./compared-deployment.ts";
import { dryRun } from "./dry-run.ts";
import { findTarget } from "./find-target.ts";
import { furtherChecks } from "./further-checks.ts";
import type { DeployJob } from "./job.ts";
import type { LiveDeployment } from "./live.ts";
import { makeRevision } from "./make-revision.ts";
import { findStarted } from "./resume.ts";
import { started } from "./started.ts";
import { checkUnchanged, findUnchanged } from "./unchanged.ts";
import { confirmLive, watch } from "./watch.ts";

/**
 * The story of a deploy: this run's revision is made, watched until it is live, and checked. Three kinds of runs make none:
 * `only_if_changed` if the same is live already, a dry run, and a re-run whose earlier attempt made it.
 *
 * @throws Failure, which says how the deploy ended otherwise
 */
export async function deploy(job: DeployJob): Promise<Ending> {
  const { options } = job;
  const existing = await findTarget(job);
  const unchanged = await findUnchanged(job, existing);
  const resumed = unchanged || options.dryRun ? undefined : await findStarted(job);
  const compared = await findCompared(job, existing, unchanged ? staysLive : resumed && wasStarted);
  if (unchanged !== undefined && !options.dryRun) return await checkUnchanged(job, unchanged, compared);
  if (options.dryRun) return await dryRun(job, existing, unchanged);
  const revision = resumed ?? (await makeRevision(job, existing));
  if (!options.wait) return await started(job, revision);
  try {
    const live = await watch(job, revision);
    await check(job, revision, live, (agent) => furtherChecks(job, agent, live, compared));
  } catch (failure) {
    throw await afterFailure(job, revision, failure);
  }
  return deployed(job, await confirmLive(job, revision));
}

const staysLive = text`the revision that is live stays the same`;
const wasStarted = text`an earlier attempt of this run started the revision`;

function deployed(job: DeployJob, { revision, deployment }: LiveDeployment): Ending {
  const where = deployment.url === undefined ? undefined : text` at ${url(deployment.url)}`;
  return {
    outcome: "deployed",
    message: text`Revision ${id(revision.id)} is live${where}.`,
    details: passedChecks(job),
  };
}
