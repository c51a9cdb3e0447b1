import * as v from "valibot";
import type { Context } from "../context.ts";
import { connectGitHub, type GitHubClient } from "../github/client.ts";
import { findComment, readComment, updateComment } from "../github/comments.ts";
import {
  deactivateReplaced,
  listRecordsOfRun,
  type RecordEnd,
  readState,
  recordStateNames,
  setRecordState,
} from "../github/deployment-records.ts";
import { runUrl } from "../github/workflow-run.ts";
import { readCleanUpInputs } from "../inputs/github.ts";
import { InputReader } from "../inputs/reader.ts";
import { commentMarker, killedCommentBody, wasWrittenBy, withoutTime, withTime } from "../report/comment.ts";
import {
  commentEndKey,
  commentIdKey,
  recordEndKey,
  recordIdKey,
  savedId,
  savedText,
} from "../report/runner/saved-state.ts";
import { parseJson } from "../text/json.ts";
import { text } from "../text/message.ts";
import { reportKilledStep, savedLeft } from "./killed-step.ts";

// What the main step saved: where its record or comment is while the id is unknown, and the final status of the record.
const RecordPlaceSchema = v.object({ environment: v.string(), task: v.string() });
const CommentPlaceSchema = v.object({ name: v.string(), pull_request: v.number() });
const RecordEndSchema = v.object({
  state: v.picklist(recordStateNames),
  description: v.string(),
  logUrl: v.string(),
  environmentUrl: v.optional(v.string()),
  replaces: v.optional(v.object({ ...RecordPlaceSchema.entries, controlPlaneDigest: v.string() })),
});

/** The states in which a killed step leaves a record. All others are final. */
const unfinishedStates: readonly (string | undefined)[] = [undefined, "in_progress", "pending"];

/**
 * The post step. If the main step was killed, it reports that, and gives the record and the comment their end. After a
 * normal end nothing is left to do (docs/specification.md#cancellation).
 */
export async function cleanUp(context: Context): Promise<void> {
  const left = savedLeft(context.env);
  if (left !== undefined) await reportKilledStep(left, context);
  const { githubToken, requestTimeoutMs } = readCleanUpInputs(new InputReader(context.env));
  const github = connectGitHub(githubToken, requestTimeoutMs, context);
  if (github !== undefined) {
    await github.warnOnFailure(() => finishRecords(github, context));
    await github.warnOnFailure(() => finishComment(github, context));
  }
}

async function finishRecords(github: GitHubClient, context: Context): Promise<void> {
  const id = savedId(context.env, recordIdKey);
  const end = recordEnd(context);
  for (const recordId of id === undefined ? await findRecords(github, context) : [id]) {
    const state = await readState(github, recordId);
    const isUnfinished = unfinishedStates.includes(state);
    if (isUnfinished) await setRecordState(github, recordId, end);
    // The main step may have been killed after it set the state and before it replaced the others.
    if (isUnfinished || state === end.state) await deactivateReplaced(github, recordId, end);
  }
}

/** The ids of the records that the main step may have made: usually one, or none. */
async function findRecords(github: GitHubClient, { env, workflow }: Context): Promise<number[]> {
  const place = savedJson(RecordPlaceSchema, env, recordIdKey);
  if (place === undefined) return [];
  return (await listRecordsOfRun(github, place, workflow.runId)).map(({ id }) => id);
}

function recordEnd({ env, workflow, report }: Context): RecordEnd {
  const saved = savedJson(RecordEndSchema, env, recordEndKey);
  if (saved !== undefined) return saved;
  const left = savedLeft(env);
  const description = report.render.plain(text`The step was killed. ${left}`);
  return { state: "error", description, logUrl: runUrl(workflow) };
}

/** The comment gets the text that the main step saved, or else shows that the step was killed. */
async function finishComment(github: GitHubClient, { env, workflow, clock }: Context): Promise<void> {
  const id = savedId(env, commentIdKey) ?? (await findOwnComment(github, env));
  if (id === undefined) return;
  const body = withoutTime(await readComment(github, id));
  // Another run may have taken it over.
  if (!wasWrittenBy(workflow, body)) return;
  const finalBody = savedText(env, commentEndKey) ?? killedCommentBody(body);
  if (finalBody !== body) await updateComment(github, id, withTime(finalBody, clock.now()));
}

async function findOwnComment(github: GitHubClient, env: Context["env"]): Promise<number | undefined> {
  const place = savedJson(CommentPlaceSchema, env, commentIdKey);
  if (place === undefined) return undefined;
  return (await findComment(github, place.pull_request, commentMarker(place.name)))?.id;
}

/** What the main step saved as JSON, undefined if it is of another shape. */
function savedJson<Schema extends v.GenericSchema>(
  schema: Schema,
  env: Context["env"],
  name: string,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, parseJson(savedText(env, name) ?? ""));
  return parsed.success ? parsed.output : undefined;
}
