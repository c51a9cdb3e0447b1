import type { Context } from "../context.ts";
import { killedStepWriter } from "../report/killed-step.ts";
import { logWriter } from "../report/log-writer.ts";
import { outputsWriter } from "../report/outputs.ts";
import { type CommentTarget, CommentWriter } from "../report/pull-request-comment.ts";
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

/** The comment on the pull request; undefined if the user wants none. */
export function commentOf({ inputs, pullRequest }: Preview): CommentTarget | undefined {
  if (!inputs.comment) return undefined;
  return { name: inputs.name, pullRequest: pullRequest.number, headSha: pullRequest.headSha };
}

/** From here on the comment on the pull request shows the run. */
export function addComment(context: Context, preview: Preview): void {
  const { github } = preview;
  const target = commentOf(preview);
  if (target === undefined || github === undefined) return;
  context.report.add(new CommentWriter(target, github, context));
}
