import { code, joined, text, withoutFullStop } from "../text/message.ts";
import type { CheckResult } from "./check-result.ts";
import { endingMessage } from "./ending.ts";
import type { Renderer } from "./renderer.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { savedUnfinishedKey } from "./runner/saved-state.ts";
import { smokeTestItem } from "./sections/checks.ts";
import { changesOutput } from "./sections/comparison.ts";
import { platformPage } from "./sections/facts.ts";
import {
  type ComparisonState,
  lastStatus,
  measuredSince,
  type RunState,
  rolledBackToId,
  shownCommit,
} from "./state.ts";
import { unfinishedWork } from "./unfinished-work.ts";

export type OutputName = keyof ReturnType<typeof outputsOf>;

/** Remembers what was rendered: that of a long response takes long, and outputs are compared at each change of the state. */
function remember<T extends object>(renderItem: (item: T) => string): (item: T) => string {
  const known = new WeakMap<T, string>();
  return (item) => {
    const rendered = known.get(item) ?? renderItem(item);
    known.set(item, rendered);
    return rendered;
  };
}

function createLists(render: Renderer) {
  return {
    smokeTest: remember((check: CheckResult) => smokeTestItem(check, render)),
    changes: remember((comparison: ComparisonState) => changesOutput(comparison.changes, render)),
  };
}

/** Returns the outputs of an action on a deployment. Outputs that are not known are undefined. */
function outputsOf(state: RunState, render: Renderer, lists: ReturnType<typeof createLists>) {
  const value = (raw: string | undefined) => raw && render.forPrograms(raw);
  const { deployment, revision, comparison, ending } = state;
  const { serverVersion } = revision;
  const status = lastStatus(revision);
  const hasEnded = ending !== undefined;
  const problems = ending?.problems?.map(({ message }) => text`${withoutFullStop(message)}.`) ?? [];
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
    rolled_back_to: value(rolledBackToId(state)),
    source_digest: value(state.archive?.digest),
    commit_sha: value(shownCommit(state)),
    server_version: serverVersion && render.plain(code(serverVersion, 100)),
    smoke_tests: smokeTests(revision.checks, lists.smokeTest),
    contract_changes: comparison && lists.changes(comparison),
    outcome: ending?.outcome,
    message: ending && render.plain(joined([endingMessage(ending), ...problems])),
    duration_seconds: hasEnded ? String(Math.round(durationMs(state) / 1000)) : undefined,
  };
}

/** Returns the time from the write to the end. */
function durationMs(state: RunState): number {
  const start = measuredSince(state);
  return start === undefined || state.endedAt === undefined ? 0 : state.endedAt - start;
}

function smokeTests(
  checks: readonly CheckResult[],
  itemOf: (check: CheckResult) => string,
): string | undefined {
  const items = checks.filter(({ kind }) => kind === "smoke test").map(itemOf);
  return items.length === 0 ? undefined : `[${items.join()}]`;
}

/**
 * Returns a function that writes changed outputs and unfinished work at once, so that a killed run leaves them behind. `names`:
 * those of the outputs that the action shares with a deploy; undefined for all.
 */
export function createStateWriter(
  { setOutput, saveState }: CommandFiles,
  render: Renderer,
  names: readonly string[] | undefined,
): (state: RunState) => void {
  const written = new Map<string, string>();
  const lists = createLists(render);
  const writeChange = (name: string, value = "", write: CommandFiles["setOutput"]) => {
    if ((written.get(name) ?? "") === value) return;
    written.set(name, value);
    write(name, value);
  };
  return (state) => {
    for (const [name, value] of Object.entries(outputsOf(state, render, lists))) {
      if (names === undefined || names.includes(name)) writeChange(name, value, setOutput);
    }
    for (const [name, value] of Object.entries(state.outputs ?? {})) writeChange(name, value, setOutput);
    const work = unfinishedWork(state);
    const saved = work && {
      shownName: render.forPrograms(state.shownName),
      work: render.redacted(work),
      isRollback: state.rollback !== undefined,
    };
    writeChange(savedUnfinishedKey, saved && JSON.stringify(saved), saveState);
  };
}
