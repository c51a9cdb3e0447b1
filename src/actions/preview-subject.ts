import type { Context } from "../context.ts";
import type { GitHub } from "../github/client.ts";
import type { PreviewInputs } from "../inputs/preview.ts";
import { previewRecordTask } from "../inputs/preview-name.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import type { Progress } from "../progress/progress.ts";
import type { RecordSubject } from "../report/github-record.ts";
import { CommentReporter } from "../report/pull-request-comment.ts";
import type { PullRequest } from "./preview-event.ts";

/** The preview of one pull request. */
export interface Preview {
  readonly inputs: PreviewInputs;
  readonly pullRequest: PullRequest;
  readonly run: WorkflowRun;
  readonly github: GitHub | undefined;
  readonly progress: Progress;
  readonly context: Context;
}

/** Which record on GitHub is the preview's (contract, 4). */
export function recordSubject({ inputs, pullRequest }: Preview): RecordSubject {
  return {
    ref: pullRequest.headSha,
    task: previewRecordTask(inputs.name),
    environment: inputs.environment,
    transient: true,
    production: false,
    pullRequest: pullRequest.number,
  };
}

/** From here on the pull request's comment tells how it goes, unless the user wants none. */
export function tellComment(preview: Preview, github: GitHub): void {
  const { inputs, pullRequest, run, progress, context } = preview;
  if (!inputs.comment) return;
  const plan = { name: inputs.name, pullRequest: pullRequest.number, headSha: pullRequest.headSha };
  progress.tell(new CommentReporter(plan, run, github, context));
}
