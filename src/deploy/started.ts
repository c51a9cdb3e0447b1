import type { Ending } from "../errors.ts";
import { code, id, text } from "../text/message.ts";
import { requireOnlyNew } from "./identify-revision.ts";
import type { RevisionJob } from "./job.ts";
import { readLive } from "./live.ts";
import { requireOurs, revisionEnded, superseded } from "./revision-ends.ts";
import type { RunRevision } from "./run-revision.ts";

/** `wait: false`: how the run ends right after the write. @throws Failure if the revision has failed already */
export async function started(job: RevisionJob, run: RunRevision): Promise<Ending> {
  const { controlPlane, report } = job;
  const { deploymentId, revisionId } = run;
  const revision = await controlPlane.getRevision(deploymentId, revisionId);
  report.polled(revision, run);
  requireOurs(revision, run);
  const { kind } = revision.status;
  if (kind === "failed" || kind === "superseded") throw await revisionEnded(job, run, revision, undefined);
  if (!run.isCertain) {
    const { state, listed } = await readLive(job, run);
    if (state.kind === "newer") throw superseded(revisionId, state.id);
    requireOnlyNew(run, listed);
  }
  return {
    outcome: "started",
    message: text`Revision ${id(revisionId)} was started. This run does not wait for it (${code("wait: false")}).`,
  };
}
