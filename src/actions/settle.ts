import type { GitHub } from "../github/client.ts";
import { connectGitHub } from "../github/connect.ts";
import { InputReader } from "../inputs/reader.ts";
import { readWorkflowRun, runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import { isOfRun, withoutTime, withTime } from "../report/comment-body.ts";
import type { Ending } from "../report/ending.ts";
import type { Progress } from "../report/progress.ts";
import { commentState, readState, recordState } from "../runner/state.ts";

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
  if (recordId !== undefined) await github.tolerate(() => settleRecord(recordId, runUrl(run), github));
  if (commentId !== undefined) await github.tolerate(() => settleComment(commentId, run, github, ports));
  return done;
}

async function settleRecord(id: number, logUrl: string, github: GitHub): Promise<void> {
  if (!unsettled.includes(await github.newestState(id))) return;
  await github.setState(id, { state: "error", description: killed, logUrl, environmentUrl: undefined });
}

/** Replaces the status in the comment that this run left: what else it tells is still true. */
async function settleComment(id: number, run: WorkflowRun, github: GitHub, ports: Ports): Promise<void> {
  const body = withoutTime(await github.commentBody(id));
  if (!isOfRun(body, run)) return;
  const settled = body.replace(
    /^\| Status \| ⏳ .*\|$/m,
    `| Status | ❌ the run was killed: what became of the revision isn't known |`,
  );
  if (settled !== body) await github.updateComment(id, withTime(settled, ports.clock.now()));
}
