import type { Context } from "../context.ts";
import type { CheckResult } from "../events.ts";
import { formatSeconds } from "./checks-section.ts";
import type { Observer } from "./run-report.ts";
import { lastStatus, type RunState } from "./run-state.ts";

/** The outputs of deploy and preview; other actions name theirs. */
const deployOutputs = [
  "deployment_id",
  "revision_id",
  "status",
  "outcome",
  "created",
  "deployment_url",
  "duration_seconds",
  "previous_revision_id",
  "rolled_back_to",
  "source_digest",
  "smoke_tests",
];

/**
 * Writes outputs as soon as they are known, so that a killed run leaves them behind; one that turns out to be wrong is
 * emptied.
 */
export function outputsObserver(
  { files, clock }: Context,
  names: readonly string[] = deployOutputs,
): Observer {
  const written = new Map<string, string>();
  const set = (name: string, value = "") => {
    if ((written.get(name) ?? "") === value || !names.includes(name)) return;
    written.set(name, value);
    files.setOutput(name, value);
  };
  const setKnown = (state: RunState) => {
    set("source_digest", state.sourceDigest);
    if (state.deploymentId === undefined) return;
    set("deployment_id", state.deploymentId);
    set("revision_id", state.revisionId);
    set("previous_revision_id", state.previousRevisionId);
    set("created", String(state.created));
    set("deployment_url", state.url);
  };
  const setSmokeTests = ({ checks }: RunState) => {
    const tests = checks.filter(({ kind }) => kind === "smoke test");
    if (tests.length > 0) set("smoke_tests", JSON.stringify(tests.map(smokeTestOutput)));
  };
  return {
    onEvent(event, state) {
      setKnown(state);
      // The rest of the run, such as a rollback, may take long.
      if (event.kind === "check_changed" && event.label === undefined) setSmokeTests(state);
    },
    onEnd(state, ending) {
      setKnown(state);
      set("created", String(state.created));
      set("status", lastStatus(state)?.raw);
      set("outcome", ending.outcome);
      set("rolled_back_to", state.rolledBackTo);
      setSmokeTests(state);
      set("duration_seconds", String(Math.round(sinceWriteMs(state, clock.now()) / 1000)));
    },
  };
}

function smokeTestOutput({ name, passed, durationMs, message }: CheckResult) {
  return { name, passed, seconds: Number(formatSeconds(durationMs)), message };
}

/** 0 if nothing was written. */
function sinceWriteMs({ writtenAt, endedAt }: RunState, now: number): number {
  return writtenAt === undefined ? 0 : (endedAt ?? now) - writtenAt;
}
