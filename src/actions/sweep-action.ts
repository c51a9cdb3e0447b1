import { type Context, withControlPlane } from "../context.ts";
import type { SuccessEnding } from "../errors.ts";
import { GitHubClient } from "../github/github-client.ts";
import { readSweepInputs } from "../inputs/read-preview-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { sweep } from "../previews/sweep.ts";
import { reportSwept } from "../previews/sweep-report.ts";

/** The sweep action: deletes previews whose pull request is closed, or which are too old. */
export async function sweepAction(context: Context): Promise<SuccessEnding> {
  const { report } = context;
  // The outputs are JSON even if a problem ends the sweep before its first preview.
  reportSwept([], report);
  const reader = new InputReader(context.env);
  const inputs = readSweepInputs(reader);
  reader.finish(report);

  const { githubToken: token, settings } = inputs;
  const github = new GitHubClient(token, settings.requestTimeoutMs, context);
  return await sweep({ ...withControlPlane(context, settings), inputs, github });
}
