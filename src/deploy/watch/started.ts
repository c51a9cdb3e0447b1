import type { Ending } from "../../errors.ts";
import type { Revision } from "../../platform/deployment.ts";
import { undefinedIf404 } from "../../platform/error-kinds.ts";
import { code, id, text } from "../../text/message.ts";
import type { RevisionJob } from "../job.ts";
import type { RunRevision } from "../make/run-revision.ts";
import { endOf, findOther, notOurs } from "./revision-ends.ts";

/** `wait: false`: how the run ends right after the write. @throws Failure if the revision has ended otherwise already */
export async function started(job: RevisionJob, ours: RunRevision): Promise<Ending> {
  const { controlPlane } = job;
  const { deploymentId, revisionId } = ours;
  // The revision may not be visible yet.
  const revision = await undefinedIf404(controlPlane.getRevision(deploymentId, revisionId));
  if (revision !== undefined) await requireNoEnd(job, ours, revision);
  if (!ours.isCertain) {
    const other = await findOther(job, ours);
    if (other !== undefined) throw other;
  }
  return {
    outcome: "started",
    message: text`Revision ${id(revisionId)} was started. This run does not wait for it (${code("wait: false")}).`,
  };
}

async function requireNoEnd(job: RevisionJob, ours: RunRevision, revision: Revision): Promise<void> {
  job.report.polled(revision);
  const other = notOurs(revision, ours);
  if (other !== undefined) {
    job.report.forgetRevision();
    throw other;
  }
  const { kind } = revision.status;
  if (kind !== "pending" && kind !== "deployed") throw await endOf(job, ours, revision);
}
