import type { Context } from "../context.ts";
import { killedStepWriter } from "../report/killed-step.ts";
import { logWriter } from "../report/log-writer.ts";
import { outputsWriter } from "../report/outputs.ts";
import { CommentWriter } from "../report/pull-request-comment.ts";
import { summaryWriter } from "../report/summary.ts";
import type { Preview } from "./preview-event.ts";

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

/** From here on the comment on the pull request shows the run, unless the user wants none. */
export function addComment(context: Context, { inputs, pullRequest, github }: Preview): void {
  if (!inputs.comment || github === undefined) return;
  const target = { name: inputs.name, pullRequest: pullRequest.number, headSha: pullRequest.headSha };
  context.report.add(new CommentWriter(target, github, context));
}
