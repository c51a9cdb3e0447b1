import type { Context } from "../context.ts";
import type { RevisionJob } from "../deploy/job.ts";
import type { Preview } from "../previews/event.ts";
import { CommentWriter } from "../report/writers/comment.ts";
import { killedStepWriter } from "../report/writers/killed-step.ts";
import { logWriter } from "../report/writers/log.ts";
import { outputsWriter } from "../report/writers/outputs.ts";
import { type RecordTarget, RecordWriter } from "../report/writers/record.ts";
import { summaryWriter } from "../report/writers/summary.ts";

/**
 * Has the outputs, the log and the summary show a deployment. Record and comment on GitHub join later, once GitHub can be
 * reached. `outputs`: the names of the action's outputs, by default all.
 */
export function addDeploymentWriters(context: Context, outputs?: readonly string[]): void {
  context.report.add(
    outputsWriter(context, outputs),
    logWriter(context),
    summaryWriter(context),
    killedStepWriter(context),
  );
}

/** From here on the run's record on GitHub shows it, once it has a revision. A re-run needs it, so it precedes the comment. */
export function addRecord(job: RevisionJob, recordTarget: RecordTarget): void {
  const { records, controlPlane, report } = job;
  if (records === undefined) return;
  const { github, requestDigest, ofTask } = records;
  const plan = {
    target: recordTarget,
    controlPlaneDigest: controlPlane.digest,
    requestDigest,
    earlier: ofTask,
  };
  report.addFirst(new RecordWriter(plan, github, job));
}

/** From here on the comment on the pull request shows the run. */
export function addComment(context: Context, { inputs, pullRequest, github }: Preview): void {
  if (!inputs.comment || github === undefined) return;
  const target = { name: inputs.name, pullRequest: pullRequest.number, headSha: pullRequest.headSha };
  context.report.add(new CommentWriter(target, github, context));
}
