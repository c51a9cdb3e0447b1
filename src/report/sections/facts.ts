import type { Ending, Outcome } from "../../errors.ts";
import { headSha, type WorkflowRun } from "../../github/workflow-run.ts";
import { formatDuration } from "../../text/format.ts";
import { code } from "../../text/message.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";
import { checkedOutCell, commitLink, consoleCell, runCell } from "./links.ts";
import { factTable } from "./tables.ts";

interface FactsContent {
  readonly state: RunState;
  readonly ending: Ending | undefined;
  readonly workflow: WorkflowRun;
  readonly now: number;
}

/** The facts of a run as a Markdown table, the ids in full: a rollback by hand needs them. */
export function factsTable({ state, ending, workflow, now }: FactsContent, render: Renderer): string {
  const outcome = ending?.outcome;
  const cell = (raw: string | undefined) => raw && render.cell(code(raw, 3000));
  const id = (raw: string | undefined) => raw && render.idCell(raw);
  return factTable([
    ["Deployment", deploymentCell(state, outcome, render)],
    ["Revision", revisionCell(state, render)],
    ["Previous revision", state.revisionId && id(state.previousRevisionId)],
    ["Live revision", state.liveRevisionId === state.revisionId ? undefined : id(state.liveRevisionId)],
    [
      "Revision of the rollback",
      state.rollbackRevisionId === state.liveRevisionId ? undefined : id(state.rollbackRevisionId),
    ],
    ["Reason", state.deletionReason && render.cell(state.deletionReason)],
    ["Unchanged since", state.unchangedSince && render.cell(state.unchangedSince)],
    [
      state.rolledBackTo ? "Rolled back to" : "To be rolled back to",
      id(state.rolledBackTo ?? state.rollbackTarget),
    ],
    ["Source", state.source && render.cell(state.source)],
    ["Archive", cell(state.sourceDigest)],
    ["Commit", commitCell(state, workflow) ?? cell(state.commitSha)],
    ["Agent server", cell(state.serverVersion)],
    [
      "On the platform",
      outcome === "deleted" ? undefined : consoleCell(state, isServed(state, ending), render),
    ],
    ["Took", ending && outcome !== "started" ? timeCell(state, now) : undefined],
    ["Log", runCell(workflow)],
  ]);
}

/** Whether an agent responds at the deployment's URL: this run's revision, the one before, or a newer one. */
export function isServed(
  { liveRevisionId, previousRevisionId }: RunState,
  ending: Ending | undefined,
): boolean {
  if (ending === undefined) return previousRevisionId !== undefined;
  return ending.outcome !== "deleted" && liveRevisionId !== undefined;
}

function deploymentCell(state: RunState, outcome: Outcome | undefined, render: Renderer): string | undefined {
  const name = state.name === undefined ? undefined : render.idCell(state.name);
  if (state.deploymentId === undefined) return name;
  const deploymentId = `ID ${render.idCell(state.deploymentId)}${changeOf(state, outcome)}`;
  return name === undefined ? deploymentId : `${name}, ${deploymentId}`;
}

function changeOf({ sentAt, isResumed, created }: RunState, outcome: Outcome | undefined): string {
  // The heading says whether there was something to delete.
  if (outcome === "deleted" || sentAt === undefined || isResumed) return "";
  return created ? ", created by this run" : ", updated by this run";
}

function revisionCell({ revisionId, isResumed }: RunState, render: Renderer): string | undefined {
  return (
    revisionId && render.idCell(revisionId) + (isResumed ? ", started by an earlier attempt of this run" : "")
  );
}

/** The commit of an upload's checkout, or the one that the platform built. */
function commitCell({ sourceCommit, commitSha }: RunState, workflow: WorkflowRun): string | undefined {
  if (sourceCommit !== undefined) return checkedOutCell(sourceCommit, workflow);
  return commitSha !== undefined && commitSha === headSha(workflow)
    ? commitLink(workflow, commitSha)
    : undefined;
}

function timeCell({ sentAt, typicalMs, rollbackStatuses }: RunState, now: number): string | undefined {
  if (sentAt === undefined) return undefined;
  const took = formatDuration(now - sentAt);
  if (rollbackStatuses !== undefined) return `${took}, with the rollback`;
  return typicalMs === undefined ? took : `${took} (expected: ${formatDuration(typicalMs)})`;
}
