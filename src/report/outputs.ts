import type { Context } from "../context.ts";
import type { Facts } from "../progress/facts.ts";
import type { Reporter } from "../progress/progress.ts";

/** The outputs of deploy and preview; other actions name the ones that they have. */
const allOutputs = [
  "deployment_id",
  "revision_id",
  "status",
  "outcome",
  "created",
  "deployment_url",
  "duration_seconds",
  "rolled_back_to",
];

/**
 * Writes outputs as soon as they are known, so that a killed run leaves them behind (contract, 3.3); one that turns out
 * not to be known is emptied.
 */
export function outputsReporter(context: Context, names: readonly string[] = allOutputs): Reporter {
  const written = new Map<string, string>();
  const set = (name: string, value = "") => {
    if ((written.get(name) ?? "") === value || !names.includes(name)) return;
    written.set(name, value);
    context.files.setOutput(name, value);
  };
  return {
    onDeployment(facts) {
      set("deployment_id", facts.deploymentId);
      set("revision_id", facts.revisionId);
      set("created", String(facts.created));
      set("deployment_url", facts.url);
    },
    onRevision(facts) {
      set("revision_id", facts.revisionId);
    },
    onEnd(facts, ending) {
      set("created", String(facts.created));
      set("status", facts.statuses.at(-1)?.status);
      set("outcome", ending.outcome);
      set("rolled_back_to", facts.rolledBackTo);
      set("duration_seconds", String(Math.round(sinceWriteMs(facts, context.clock.now()) / 1000)));
    },
  };
}

/** Milliseconds from the write to `now`; 0 where nothing was written. */
function sinceWriteMs(facts: Facts, now: number): number {
  return facts.writtenAt === undefined ? 0 : now - facts.writtenAt;
}
