import { type RecordSettings, recordTask } from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import type { PreviewInputs } from "../inputs/read-preview-inputs.ts";
import type { EventPullRequest } from "../workflow-run.ts";

/** The preview of one pull request. */
export interface Preview {
  readonly inputs: PreviewInputs;
  readonly pullRequest: EventPullRequest;
  /** Undefined without a token. */
  readonly github: GitHubClient | undefined;
}

export function previewRecordSettings({ inputs, pullRequest }: Preview): RecordSettings {
  return {
    ref: pullRequest.head.sha,
    task: recordTask("preview", inputs.name),
    environment: inputs.environment,
    isProduction: false,
    pullRequest: pullRequest.number,
  };
}
