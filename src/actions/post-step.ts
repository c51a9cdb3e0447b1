import * as v from "valibot";
import type { Context } from "../context.ts";
import { type Ending, ifReplacedHint } from "../errors.ts";
import { CommentedPreviewSchema, endComment } from "../github/comment-writer.ts";
import {
  listActionRecords,
  RecordKeySchema,
  type RecordState,
  setRecordState,
  withStates,
} from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { connectGitHub } from "../inputs/read-github-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { formatOutcome, isOutcome, outcomes } from "../outcomes.ts";
import {
  savedCommentKey,
  savedOutcomeKey,
  savedRecordKey,
  savedText,
  savedUnfinishedKey,
} from "../report/runner/saved-state.ts";
import { parseJson } from "../text/json.ts";
import { code, joined, type Message, phrase, quote, text } from "../text/message.ts";

const UnfinishedSchema = v.object({ shownName: v.string(), work: v.string() });

/**
 * The post step (docs/specification.md#cancellation). It reports a main step that was killed, and ends the step's record and
 * comment. It ends these two also for a cancelled step that ran out of time.
 */
export async function postStep(context: Context): Promise<void> {
  const { report, env } = context;
  const unfinished = readSaved(UnfinishedSchema, savedUnfinishedKey, context);
  const record = readSaved(RecordKeySchema, savedRecordKey, context);
  const comment = readSaved(CommentedPreviewSchema, savedCommentKey, context);
  if ((unfinished ?? record ?? comment) === undefined) return;
  // A step that was killed has saved no outcome.
  const outcome = savedText(env, savedOutcomeKey) ?? "";
  const wasKilled = !isOutcome(outcome);
  const work = unfinished && text`Unfinished work: ${quote(unfinished.work, 1000)}`;
  const ending = wasKilled
    ? killedEnding(work)
    : { outcome, message: text`The step ended as ${code(formatOutcome(outcome))}. Its log has the result.` };
  if (wasKilled) {
    report.set({ shownName: unfinished?.shownName ?? comment?.name ?? "" });
    await report.end(ending);
  }
  // The main step has already reported any problems of these inputs.
  const github = connectGitHub(new InputReader(env), context);
  if (github === undefined) return;
  if (record !== undefined) {
    const { recordState = "error" } = wasKilled ? {} : outcomes[outcome];
    const description = report.render.plain(joined([ending.message, work]));
    await report.warnOnFailure(() => endRecords(github, context, record, recordState, description));
  }
  if (comment !== undefined) await report.warnOnFailure(() => endComment(comment, ending, github, context));
}

function killedEnding(unfinished: Message | undefined): Ending {
  const likelyCauses = text`Likely causes: the run was cancelled, or the runner ran out of memory.`;
  return {
    outcome: "failed",
    headline: phrase`killed`,
    message: text`The step was killed.`,
    details: [joined([unfinished, likelyCauses])],
    hint: text`${ifReplacedHint} Otherwise, check the deployment on the platform before you run the job again.`,
  };
}

async function endRecords(
  github: GitHubClient,
  { workflow }: Context,
  key: v.InferOutput<typeof RecordKeySchema>,
  state: RecordState,
  description: string,
): Promise<void> {
  const records = await listActionRecords(github, key);
  const ofRun = records.filter(({ payload }) => payload.run_id === workflow.runId);
  for (const { id, state: newest = "in_progress" } of await withStates(github, ofRun)) {
    if (newest === "in_progress") await setRecordState(github, id, state, description);
  }
}

/** Returns the JSON that the main step saved; undefined if it does not match the schema. */
function readSaved<Schema extends v.GenericSchema>(
  schema: Schema,
  name: string,
  { env }: Context,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, parseJson(savedText(env, name) ?? ""));
  return parsed.success ? parsed.output : undefined;
}
