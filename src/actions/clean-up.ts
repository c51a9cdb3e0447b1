import * as v from "valibot";
import type { Context } from "../context.ts";
import type { GitHub } from "../github/client.ts";
import { findComment } from "../github/comments.ts";
import { connectGitHub } from "../github/connect.ts";
import { recordStateNames } from "../github/record-requests.ts";
import { ownRecords } from "../github/records.ts";
import { type RecordEnd, replaceOthers } from "../github/replacement.ts";
import { readSettleInputs } from "../inputs/clean-up.ts";
import { InputReader } from "../inputs/reader.ts";
import { readWorkflowRun, runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { asKilled, commentMarker, isOfRun, withoutTime, withTime } from "../report/comment-body.ts";
import { tellKilledStep } from "../report/killed-step.ts";
import {
  commentEndState,
  commentState,
  leftState,
  readSought,
  readState,
  readText,
  recordEndState,
  recordState,
} from "../runner/state.ts";
import { parseJson } from "../text/json.ts";

/** Where the record is that the main step asked for without learning its id, or are those that one replaces. */
const RecordPlaceSchema = v.object({ environment: v.string(), task: v.string() });

/** How a record was to end, as the main step kept it. */
const RecordEndSchema = v.object({
  state: v.picklist(recordStateNames),
  description: v.string(),
  logUrl: v.string(),
  environmentUrl: v.optional(v.string()),
  replaces: v.optional(RecordPlaceSchema),
});

/** States in which a record was left by a step that was killed; all others are final. */
const unsettled: readonly (string | undefined)[] = [undefined, "in_progress", "pending"];

/**
 * The `post:` step: tells of a main step that was killed what it couldn't, and settles the record and the comment that
 * it left "in progress". After a clean end there is nothing to settle, and what was settled once isn't again (contract,
 * 4; runner: state of a step).
 */
export async function settle(_progress: Progress, context: Context): Promise<Ending> {
  const done: Ending = { outcome: "skipped", message: "" };
  const left = readText(context.env, leftState);
  if (left !== undefined) await tellKilledStep(left, context);
  const run = readWorkflowRun(context);
  const { githubToken, requestTimeoutMs } = readSettleInputs(new InputReader(context.env));
  const github = connectGitHub(githubToken, requestTimeoutMs, run, context);
  if (github === undefined) return done;
  await github.tolerate(() => settleRecord(run, github, context));
  await github.tolerate(() => settleComment(run, github, context));
  return done;
}

const SoughtCommentSchema = v.object({ name: v.string(), pull_request: v.number() });

/** What the main step kept under this name while it didn't know a number; undefined where it is nothing of that shape. */
function sought<Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
  { env }: Context,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, parseJson(readSought(env, name) ?? ""));
  return parsed.success ? parsed.output : undefined;
}

async function settleRecord(run: WorkflowRun, github: GitHub, context: Context): Promise<void> {
  const id = readState(context.env, recordState);
  const end = recordEnd(run, context);
  for (const each of id === undefined ? await findRecords(run, github, context) : [id]) {
    const state = await github.records.newestState(each);
    const isUnsettled = unsettled.includes(state);
    if (isUnsettled) await github.records.setState(each, end);
    // What it was to replace may not be replaced yet.
    if (isUnsettled || state === end.state) await replaceOthers(github, each, end);
  }
}

/** The record that the main step asked for without learning its id; two, where it asked once more at the end. */
async function findRecords(run: WorkflowRun, github: GitHub, context: Context): Promise<readonly number[]> {
  const wanted = sought(recordState, RecordPlaceSchema, context);
  if (wanted === undefined) return [];
  const records = await ownRecords(github, wanted.environment, wanted.task);
  return records.filter(({ payload }) => payload.run_id === run.runId).map(({ id }) => id);
}

/** How the record is to end: as the main step wanted it, or as that of a step that was killed. */
function recordEnd(run: WorkflowRun, { env }: Context): RecordEnd {
  const parsed = v.safeParse(RecordEndSchema, parseJson(readText(env, recordEndState) ?? ""));
  const base = { environmentUrl: undefined, replaces: undefined };
  if (parsed.success) return { ...base, ...parsed.output };
  const description = `The step was killed. ${readText(env, leftState) ?? ""}`.trim();
  return { ...base, state: "error", description, logUrl: runUrl(run) };
}

/** The comment gets the text that the main step wanted, or else tells that this was killed. */
async function settleComment(run: WorkflowRun, github: GitHub, context: Context): Promise<void> {
  const id = readState(context.env, commentState) ?? (await findOwnComment(github, context));
  if (id === undefined) return;
  const body = withoutTime(await github.comments.body(id));
  if (!isOfRun(body, run)) return;
  const settled = readText(context.env, commentEndState) ?? asKilled(body);
  if (settled !== body) await github.comments.update(id, withTime(settled, context.clock.now()));
}

async function findOwnComment(github: GitHub, context: Context): Promise<number | undefined> {
  const wanted = sought(commentState, SoughtCommentSchema, context);
  if (wanted === undefined) return undefined;
  return (await findComment(github, wanted.pull_request, commentMarker(wanted.name)))?.id;
}
