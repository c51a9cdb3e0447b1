import type { Context } from "../context.ts";
import type { GitHubClient } from "../github/client.ts";
import { previewRecordTask } from "../github/deployment-records.ts";
import type { PreviewInputs } from "../inputs/preview.ts";
import type { RecordTarget } from "../report/github-record.ts";
import { CommentWriter } from "../report/pull-request-comment.ts";
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
export function addComment(context: Context, { inputs, pullRequest, github }: Preview): void {
  if (!inputs.comment || github === undefined) return;
  const target = { name: inputs.name, pullRequest: pullRequest.number, headSha: pullRequest.headSha };
  context.report.add(new CommentWriter(target, github, context));
}
