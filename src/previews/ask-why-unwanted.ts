import type { Context } from "../context.ts";
import { Failure, toResult } from "../errors.ts";
import { readPullRequest } from "../github/repository.ts";
import { inputName, type Phrase, text } from "../text/message.ts";
import type { Preview } from "./look-up-preview.ts";
import { whyUnwanted } from "./preview-task.ts";

/** Returns why the preview is not wanted now; undefined if it is. @throws Failure if GitHub does not say */
export async function askWhyUnwanted({ label, record, github }: Preview): Promise<Phrase | undefined> {
  if (github === undefined) {
    const message = text`Without ${inputName("github_token")}, GitHub does not say whether the pull request is still closed.`;
    const hint = text`Leave out ${inputName("github_token")} to use the job's token.`;
    throw new Failure(message, { hint });
  }
  const { pullRequest } = record;
  return whyUnwanted(await github.untilCancelled(() => readPullRequest(github, pullRequest)), label);
}

/**
 * Calls `askWhyUnwanted` after an event that asks for a deletion, because the event may be old. If GitHub can't be read, the
 * first attempt of a run trusts the event and returns `cause`, and a re-run fails.
 */
export async function askWhyToDelete(
  { report, workflow }: Context,
  preview: Preview,
  cause: Phrase,
): Promise<Phrase | undefined> {
  const asked = await toResult(() => askWhyUnwanted(preview));
  if (asked.error === undefined) return asked.value;
  const { message, hint } = asked.error.ending;
  if (workflow.runAttempt > 1) {
    throw new Failure(
      text`${message} In a re-run, the event may be outdated: the preview may be wanted again. Nothing was deleted.`,
      { hint, cause: asked.error },
    );
  }
  // A warning about a missing token was logged before.
  if (preview.github !== undefined) {
    report.warning(text`${message} ${hint} The preview is deleted, because ${cause} according to the event.`);
  }
  return cause;
}
