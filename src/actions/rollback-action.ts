import { type Context, withControlPlane } from "../context.ts";
import type { RevisionOptions } from "../deploy/deploy-context.ts";
import { rollback } from "../deploy/rollback/rollback.ts";
import type { SuccessEnding } from "../errors.ts";
import { recordRun } from "../github/record-writer.ts";
import { readControlPlane, readTarget } from "../inputs/read-control-plane.ts";
import { connectGitHub, readRecordInputs } from "../inputs/read-github-inputs.ts";
import { readRevisionOptions } from "../inputs/read-revision-options.ts";
import { InputReader } from "../inputs/reader.ts";
import { RevisionIdSchema } from "../platform/ids.ts";
import { reportedNamesOf } from "../platform/target.ts";
import { inputName, phrase, text } from "../text/message.ts";

/** The rollback action: makes an earlier revision of a deployment the live one again. */
export async function rollbackAction(context: Context): Promise<SuccessEnding> {
  const { report, workflow } = context;
  const reader = new InputReader(context.env);
  const settings = readControlPlane(reader);
  const revisionId = reader.id("revision_id", RevisionIdSchema);
  if (workflow.runAttempt > 1) requireRevisionId(reader);
  const options: RevisionOptions = {
    ...readRevisionOptions(reader),
    buildLog: "failure",
    verifyCommit: false,
    interruptOnCancel: false,
  };
  const target = readTarget(reader);
  const record = readRecordInputs(reader, target);
  report.set(reportedNamesOf(target));
  reader.finish(report);

  const revisionContext = { ...withControlPlane(context, settings, options.timeoutMs), options };
  const github = connectGitHub(reader, context);
  if (github !== undefined && record !== undefined) recordRun(record, github, revisionContext);
  return await rollback(revisionContext, target, revisionId);
}

/** After an earlier attempt, the newest revision before the live one may be the bad version. */
function requireRevisionId(reader: InputReader): void {
  if (reader.optional("revision_id") !== undefined) return;
  reader.reject(
    "revision_id",
    phrase`needs ${inputName("revision_id")}: an earlier attempt may have changed which revision is live`,
    {
      subject: phrase`A re-run of a rollback`,
      hint: text`Run the workflow again with the full ID of the revision to go back to.`,
    },
  );
}
