import type { GitHubClient } from "../github/github-client.ts";
import type { PreviewInputs } from "../inputs/read-preview-inputs.ts";

/** The preview of one pull request. */
export interface Preview {
  readonly inputs: PreviewInputs;
  /** Undefined without a token. */
  readonly github: GitHubClient | undefined;
}
