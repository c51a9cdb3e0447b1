import type { ControlPlane } from "../control-plane/client.ts";
import type { GitHub } from "../github/client.ts";
import { type OwnRecord, ownRecords } from "../github/records.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import { type RecordPlan, RecordReporter } from "../report/github-record.ts";
import type { Progress } from "../report/progress.ts";
import { findPendingRevision } from "../write/resume.ts";
import type { WrittenRevision } from "../write/write.ts";

/** Which record a run writes on GitHub. */
export type RecordSubject = Omit<RecordPlan, "known" | "resumed">;

/** This action's records of a task, newest first; undefined, with a warning, where GitHub doesn't tell. */
export async function readRecords(
  { environment, task }: Pick<RecordSubject, "environment" | "task">,
  github: GitHub | undefined,
): Promise<readonly OwnRecord[] | undefined> {
  return await github?.tolerate(() => ownRecords(github, environment, task));
}

/**
 * From here on the run is recorded on GitHub. Answers with the revision that an earlier attempt of this run started
 * and that is still pending, which is then watched and whose record is gone on with.
 */
export async function startRecording(
  subject: RecordSubject,
  records: readonly OwnRecord[],
  tools: { github: GitHub; plane: ControlPlane; run: WorkflowRun; progress: Progress; ports: Ports },
): Promise<WrittenRevision | undefined> {
  const { github, plane, run, progress, ports } = tools;
  const resumed = await findPendingRevision(
    records,
    run.runId,
    progress.facts.source,
    plane,
    ports.clock.now(),
  );
  progress.tell(
    new RecordReporter({ ...subject, known: records, resumed: resumed?.record }, run, github, ports),
  );
  return resumed?.written;
}
