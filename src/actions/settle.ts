import * as v from "valibot";
import { type GitHub, type NewStatus, recordStateNames } from "../github/client.ts";
import { connectGitHub } from "../github/connect.ts";
import { parseJson } from "../github/schemas.ts";
import { InputReader } from "../inputs/reader.ts";
import { readWorkflowRun, runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import { isOfRun, withoutTime, withTime } from "../report/comment-body.ts";
import type { Ending } from "../report/ending.ts";
import type { Progress } from "../report/progress.ts";
import { commentEndState, commentState, readState, recordEndState, recordState } from "../runner/state.ts";

/** How a record was to end, as the main step kept it. */
const RecordEndSchema = v.object({
  state: v.picklist(recordStateNames),
  description: v.string(),
  logUrl: v.string(),
  environmentUrl: v.optional(v.string()),
});

/** States in which a record was left by a step that was killed; all others are final. */
const unsettled: readonly (string | undefined)[] = [undefined, "in_progress", "pending"];
const killed = "The step was killed before its revision ended; the revision goes on on the platform.";

/**
 * The `post:` step: settles the record and the comment that a killed main step left "in progress". After a clean end
 * there is nothing to settle, and what was settled once isn't again (contract, 4; runner: state of a step).
 */
export async function settle(_progress: Progress, ports: Ports): Promise<Ending> {
  const done: Ending = { outcome: "skipped", message: "" };
  const recordId = readState(ports.env, recordState);
  const commentId = readState(ports.env, commentState);
  const run = readWorkflowRun(ports.env);
  const reader = new InputReader(ports.env);
  const github = connectGitHub(
    reader.optional("github_token"),
    reader.seconds("request_timeout_seconds", 30),
    run,
    ports,
  );
  if (github === undefined) return done;
  const kept = (name: string) => ports.env[`STATE_${name}`];
  if (recordId !== undefined) {
    const end = recordEnd(kept(recordEndState), run);
    await github.tolerate(() => settleRecord(recordId, end, github));
  }
  if (commentId !== undefined)
    await github.tolerate(() => settleComment(commentId, kept(commentEndState), run, github, ports));
  return done;
}

/** How the record is to end: as the main step wanted it, or as that of a step that was killed. */
function recordEnd(kept: string | undefined, run: WorkflowRun): NewStatus {
  const parsed = v.safeParse(RecordEndSchema, kept && parseJson(kept));
  if (!parsed.success)
    return { state: "error", description: killed, logUrl: runUrl(run), environmentUrl: undefined };
  const { state, description, logUrl, environmentUrl } = parsed.output;
  return { state, description, logUrl, environmentUrl };
}

async function settleRecord(id: number, end: NewStatus, github: GitHub): Promise<void> {
  if (unsettled.includes(await github.newestState(id))) await github.setState(id, end);
}

/** Where the main step didn't get to what it wanted to say, its status is replaced: what else it tells is true. */
async function settleComment(
  id: number,
  wanted: string | undefined,
  run: WorkflowRun,
  github: GitHub,
  ports: Ports,
): Promise<void> {
  const body = withoutTime(await github.commentBody(id));
  if (!isOfRun(body, run)) return;
  const settled =
    wanted ||
    body.replace(
      /^\| Status \| ⏳ .*\|$/m,
      `| Status | ❌ the run was killed: what became of the revision isn't known |`,
    );
  if (settled !== body) await github.updateComment(id, withTime(settled, ports.clock.now()));
}
