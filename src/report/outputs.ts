import {
  type ActionLabels,
  lastStatus,
  measuredMs,
  type RunState,
  rolledBackTo,
  shownCommit,
} from "../state/run-state.ts";
import { unfinishedWork } from "../state/unfinished-work.ts";
import { code, joined } from "../text/message.ts";
import { endingMessage } from "./ending.ts";
import type { Renderer } from "./renderer.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { savedUnfinishedKey } from "./runner/saved-state.ts";
import { smokeTestsOutput } from "./sections/checks.ts";
import { changesOutput } from "./sections/comparison.ts";
import { platformPage } from "./sections/facts.ts";

/** Returns the outputs of an action on a deployment. Outputs that are not known are undefined. */
function outputsOf(state: RunState, render: Renderer) {
  const value = (raw: string | undefined) => raw && render.redactIdentifier(raw);
  const { deployment, revision, ending } = state;
  const { serverVersion } = revision;
  const status = lastStatus(revision);
  const hasEnded = ending !== undefined;
  const problems = ending?.problems?.map((problem) => problem.message) ?? [];
  return {
    deployment_id: value(deployment?.id),
    name: value(state.name),
    created: hasEnded || deployment !== undefined ? String(deployment?.created ?? false) : undefined,
    revision_id: value(revision.id),
    status: status && render.plain(code(status.raw)),
    deployment_url: value(deployment?.url),
    platform_url: platformPage(state, render)?.href,
    previous_revision_id: value(state.previousRevisionId),
    live_revision_id: value(state.liveRevisionId),
    rolled_back_to: value(rolledBackTo(state)),
    source_digest: value(state.archive?.digest),
    commit_sha: value(shownCommit(state)),
    server_version: serverVersion && render.plain(code(serverVersion, 100)),
    smoke_tests: smokeTestsOutput(revision.checks, render),
    contract_changes: changesOutput(revision.checks, render),
    outcome: ending?.outcome,
    message: ending && render.plain(joined([endingMessage(ending), ...problems])),
    duration_seconds: hasEnded ? String(Math.round((measuredMs(state) ?? 0) / 1000)) : undefined,
  };
}

export interface ReportedAction extends ActionLabels {
  /** Which of these outputs are in its action.yml. By default, all. */
  readonly outputs?: readonly (keyof ReturnType<typeof outputsOf>)[];
}

/** Returns a function that writes changed outputs and unfinished work at once, so that a killed run leaves them behind. */
export function createStateWriter(
  { outputs: names }: ReportedAction,
  { setOutput, saveState }: CommandFiles,
  render: Renderer,
): (state: RunState) => void {
  const isIncluded = (name: string) => names?.some((included) => included === name) ?? true;
  const written = new Map<string, string>();
  const writeChange = (name: string, value = "", write: CommandFiles["setOutput"]) => {
    if ((written.get(name) ?? "") === value) return;
    written.set(name, value);
    write(name, value);
  };
  return (state) => {
    for (const [name, value] of Object.entries(outputsOf(state, render))) {
      if (isIncluded(name)) writeChange(name, value, setOutput);
    }
    const work = unfinishedWork(state);
    const saved = work && { shownName: render.redactIdentifier(state.shownName), work: render.plain(work) };
    writeChange(savedUnfinishedKey, saved && JSON.stringify(saved), saveState);
  };
}
