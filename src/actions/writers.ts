import type { Context } from "../context.ts";
import { CommentWriter } from "../report/writers/comment.ts";
import { killedStepWriter } from "../report/writers/killed-step.ts";
import { logWriter } from "../report/writers/log.ts";
import { outputsWriter } from "../report/writers/outputs.ts";
import { summaryWriter } from "../report/writers/summary.ts";
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
