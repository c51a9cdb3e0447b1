import * as v from "valibot";
import type { Context } from "../context.ts";
import { type Ending, ifReplaced, type Outcome, outcomes } from "../errors.ts";
import { connectGitHub, type GitHubClient } from "../github/client.ts";
import { endComment } from "../github/comment-writer.ts";
import {
  listRecordsOfRun,
  type RecordState,
  readState,
  setRecordState,
} from "../github/deployment-records.ts";
import { recordStates } from "../github/record-writer.ts";
import { InputReader } from "../inputs/reader.ts";
import { formatOutcome } from "../report/ending.ts";
import { commentKey, outcomeKey, recordKey, savedText, unfinishedKey } from "../report/runner/saved-state.ts";
import { parseJson } from "../text/json.ts";
import { code, type Message, text } from "../text/message.ts";
import { runUrl } from "../workflow-run.ts";

// What the main step saved: what it leaves behind, with the name or ID of its deployment, and where its record and comment are.
const UnfinishedSchema = v.object({ shownName: v.string(), work: v.string() });
const RecordSchema = v.object({ environment: v.string(), task: v.string() });
const CommentSchema = v.object({ name: v.string(), pullRequest: v.number() });

const rerun = text`If it is still needed, re-run the job.`;

/**
 * The post step. If the main step was killed, it reports that, and gives the record and the comment their end. Those two it
 * ends too if a cancelled step could not do so in time. Otherwise nothing is left to do (docs/specification.md#cancellation).
 */
export async function postStep(context: Context, againHint: Message = rerun): Promise<void> {
  const { report, env } = context;
  const unfinished = saved(UnfinishedSchema, unfinishedKey, context);
  const record = saved(RecordSchema, recordKey, context);
  const comment = saved(CommentSchema, commentKey, context);
  const unfinishedWork = unfinished && code(unfinished.work, 500);
  const shown = savedText(env, outcomeKey);
  // A step that was killed has saved no outcome.
  const outcome = outcomes.find((one) => one === shown);
  const state = (outcome && recordStates.get(outcome)) ?? "error";
  const ending =
    outcome === undefined ? killedEnding(unfinishedWork, againHint) : { outcome, message: endedAs(outcome) };
  const wasKilled = outcome === undefined && (record ?? comment) !== undefined;
  if (unfinished !== undefined || wasKilled) {
    report.set({ shownName: unfinished?.shownName ?? comment?.name ?? "" });
    await report.end(ending);
  }
  // The main step has already reported what is wrong with these inputs.
  const reader = new InputReader(env);
  const requestTimeoutMs = reader.seconds("request_timeout_seconds", 30);
  const github = connectGitHub(reader.optional("github_token"), requestTimeoutMs, context);
  if (github === undefined) return;
  const reason = outcome === undefined ? text`The step was killed. ${unfinishedWork}` : ending.message;
  if (record !== undefined) {
    const end = { state, description: report.render.plain(reason) };
    await github.warnOnFailure(() => endRecords(github, context, record, end));
  }
  if (comment !== undefined) await github.warnOnFailure(() => endComment(comment, ending, github, context));
}

/** Returns what is said of a step that reported its ending, but GitHub did not take it in time. */
function endedAs(outcome: Outcome): Message {
  return text`The step ended as ${code(formatOutcome(outcome))}. The log of the run has the result in full.`;
}

/** Returns the ending of a step that could not report one. `unfinishedWork`: undefined if it left none on the platform. */
function killedEnding(unfinishedWork: Message | undefined, againHint: Message): Ending {
  return {
    outcome: "failed",
    result: text`killed`,
    message: text`The step was killed before it could report its result.`,
    details: [
      ...(unfinishedWork === undefined ? [] : [unfinishedWork]),
      text`Likely causes: the run was cancelled, or the runner ran out of memory.`,
    ],
    hint: text`${ifReplaced} Otherwise, check the deployment on the platform. ${againHint}`,
  };
}

/** Ends the run's records that are still in progress. */
async function endRecords(
  github: GitHubClient,
  { workflow }: Context,
  place: v.InferOutput<typeof RecordSchema>,
  end: { readonly state: RecordState; readonly description: string },
): Promise<void> {
  for (const record of await listRecordsOfRun(github, place, workflow.runId)) {
    const state = await readState(github, record);
    if (state !== undefined && state !== "in_progress") continue;
    await setRecordState(github, record.id, { ...end, logUrl: runUrl(workflow) });
  }
}

/** Returns what the main step saved as JSON, undefined if it is of another shape. */
function saved<Schema extends v.GenericSchema>(
  schema: Schema,
  name: string,
  { env }: Context,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, parseJson(savedText(env, name) ?? ""));
  return parsed.success ? parsed.output : undefined;
}
