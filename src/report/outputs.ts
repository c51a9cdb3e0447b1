import type { Ending } from "../errors.ts";
import { formatSeconds } from "../text/format.ts";
import { code, text } from "../text/message.ts";
import type { Renderer } from "./renderer.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { changesOutput } from "./sections/comparison.ts";
import { platformPage } from "./sections/links.ts";
import { lastStatus, type RunState } from "./state.ts";

type Values = Readonly<Record<string, string | undefined>>;

/** The outputs of a step. One that turns out to be wrong is emptied. */
export class Outputs {
  readonly #files: Pick<CommandFiles, "setOutput">;
  readonly #names: readonly string[] | undefined;
  readonly #written = new Map<string, string>();

  /** `names`: those of the action; undefined for all. */
  constructor(files: Pick<CommandFiles, "setOutput">, names: readonly string[] | undefined) {
    this.#files = files;
    this.#names = names;
  }

  /** Writes those that have changed. */
  write(values: Values): void {
    for (const [name, value = ""] of Object.entries(values)) {
      const isKnown = (this.#written.get(name) ?? "") === value;
      if (isKnown || this.#names?.includes(name) === false) continue;
      this.#written.set(name, value);
      this.#files.setOutput(name, value);
    }
  }
}

/** What is written as soon as it is known. */
export function knownOutputs(state: RunState, render: Renderer): Values {
  const id = (value: string | undefined) => value && render.value(value);
  const tests = state.checks.filter(({ kind }) => kind === "smoke test");
  const known = {
    name: id(state.name),
    source_digest: id(state.sourceDigest),
    commit_sha: id(state.commitSha ?? state.sourceCommit?.sha),
    smoke_tests:
      tests.length === 0 ? undefined : JSON.stringify(tests.map((test) => testOutput(test, render))),
    contract_changes: state.comparison && changesOutput(state.comparison.changes, render),
    ...state.outputs,
  };
  if (state.deploymentId === undefined) return known;
  return {
    ...known,
    deployment_id: id(state.deploymentId),
    revision_id: id(state.revisionId),
    previous_revision_id: id(state.previousRevisionId),
    created: String(state.created),
    deployment_url: id(state.url),
    platform_url: platformPage(state, render)?.href,
    server_version: state.serverVersion && render.plain(text`${code(state.serverVersion, 100)}`),
  };
}

/** What is written at the end. */
export function finalOutputs(state: RunState, { outcome }: Ending, render: Renderer): Values {
  const { sentAt, endedAt = sentAt, liveRevisionId, rolledBackTo } = state;
  const status = lastStatus(state);
  const isGone = outcome === "deleted";
  const durationMs = sentAt === undefined || endedAt === undefined ? 0 : endedAt - sentAt;
  return {
    created: String(state.created),
    status: status && render.plain(text`${code(status.raw)}`),
    outcome,
    live_revision_id: isGone ? undefined : liveRevisionId && render.value(liveRevisionId),
    rolled_back_to: rolledBackTo && render.value(rolledBackTo),
    duration_seconds: String(Math.round(durationMs / 1000)),
    ...(isGone && { platform_url: undefined }),
  };
}

function testOutput({ name, passed, durationMs, message }: RunState["checks"][number], render: Renderer) {
  return {
    name: render.plain(text`${code(name)}`),
    passed,
    seconds: Number(formatSeconds(durationMs)),
    message: render.plain(message),
  };
}
