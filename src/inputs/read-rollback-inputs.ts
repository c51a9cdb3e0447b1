import { RevisionIdSchema } from "../platform/ids.ts";
import { inputName, phrase, text } from "../text/message.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { readAgentOptions, readChecks } from "./read-checks.ts";
import { readControlPlane } from "./read-control-plane.ts";
import { readWaitOptions } from "./read-wait-options.ts";
import type { InputReader } from "./reader.ts";

export function readRollbackInputs(reader: InputReader, { runAttempt }: Pick<WorkflowRun, "runAttempt">) {
  // After an earlier attempt, the newest revision before the live one may be the bad version.
  if (reader.optional("revision_id") === undefined && runAttempt > 1) {
    reader.reject(
      "revision_id",
      phrase`needs ${inputName("revision_id")}: an earlier attempt may have changed which revision is live`,
      {
        subject: phrase`A re-run of a rollback`,
        hint: text`Run the workflow again with the full ID of the revision to go back to.`,
      },
    );
  }
  // The action has no inputs for these two.
  const checks = { ...readChecks(reader, "fail"), compare: undefined, verifyCommit: false };
  return {
    settings: readControlPlane(reader),
    /** By default, the newest `DEPLOYED` one before the live one. */
    revisionId: reader.id("revision_id", RevisionIdSchema),
    options: { ...readWaitOptions(reader), checks, agent: readAgentOptions(reader) },
    githubToken: reader.optional("github_token"),
  };
}
