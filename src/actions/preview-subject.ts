import type { GitHubClient } from "../github/client.ts";
import type { PreviewInputs } from "../inputs/preview.ts";
import { previewRecordTask } from "../inputs/preview-name.ts";
import type { RecordTarget } from "../report/github-record.ts";
import { CommentReporter } from "../report/pull-request-comment.ts";
import type { ActionContext } from "../report/run-report.ts";
import type { PullRequest } from "./preview-event.ts";

/** The preview of one pull request. */
export interface Preview {
  readonly inputs: PreviewInputs;
  readonly pullRequest: PullRequest;
  readonly github: GitHubClient | undefined;
}

/** The record of a preview on GitHub. */
export function previewRecord({ inputs, pullRequest }: Preview): RecordTarget {
  return {
    ref: pullRequest.headSha,
    task: previewRecordTask(inputs.name),
    environment: inputs.environment,
    transient: true,
    production: false,
    pullRequest: pullRequest.number,
  };
}

/** From here on the comment on the pull request shows the run, unless the user wants none. */
export function observeComment(
  { inputs, pullRequest }: Preview,
  github: GitHubClient,
  context: ActionContext,
): void {
  if (!inputs.comment) return;
  const target = { name: inputs.name, pullRequest: pullRequest.number, headSha: pullRequest.headSha };
  context.observe(new CommentReporter(target, github, context));
}
