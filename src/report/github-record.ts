import type { GitHub } from "../github/client.ts";
import { makeInactive, type OwnRecord, tolerate } from "../github/records.ts";
import { runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { recordStates } from "../plan/record-state.ts";
import type { Ports } from "../ports.ts";
import { recordState } from "../runner/state.ts";
import { inertLine } from "../text/inert.ts";
import { type Ending, spellOutcome } from "./ending.ts";
import type { Facts, Reporter } from "./progress.ts";

/** Which record a run writes on GitHub, and which ones it replaces. */
export interface RecordPlan {
  /** The commit: the run's, on a pull request its head. */
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly transient: boolean;
  readonly production: boolean;
  readonly pullRequest: number | undefined;
  /** Earlier records of the same task, newest first. */
  readonly earlier: readonly OwnRecord[];
  /** A record of this very run to go on with. */
  readonly resumed: OwnRecord | undefined;
}

/** Records the deployment on GitHub right after the write, and how it ended (contract, 4). */
export function recordReporter(plan: RecordPlan, run: WorkflowRun, github: GitHub, ports: Ports): Reporter {
  const logUrl = runUrl(run);
  let recordId = plan.resumed?.id;
  return {
    async onRevision(facts) {
      recordId ??= await tolerate(ports.log, () => createRecord(plan, run, facts, github, ports));
      const id = recordId;
      if (id === undefined) return;
      ports.files.saveState(recordState, String(id));
      await tolerate(ports.log, () =>
        github.setState(id, {
          state: "in_progress",
          description: description(facts),
          logUrl,
          environmentUrl: undefined,
        }),
      );
      const earlier = plan.earlier.filter((record) => record.id !== id);
      await tolerate(ports.log, () =>
        makeInactive(github, earlier, logUrl, "Replaced by a newer deployment"),
      );
    },
    async onEnd(facts, ending) {
      const state = recordStates[ending.outcome];
      const id = recordId;
      if (id === undefined || state === undefined) return;
      const environmentUrl = ending.outcome === "deployed" ? facts.url : undefined;
      const done = await tolerate(ports.log, async () => {
        await github.setState(id, {
          state,
          description: endDescription(facts, ending),
          logUrl,
          environmentUrl,
        });
        return true;
      });
      // Not settled: the `post:` step tries once more.
      if (done) ports.files.saveState(recordState, "");
    },
  };
}

async function createRecord(
  plan: RecordPlan,
  run: WorkflowRun,
  facts: Readonly<Facts>,
  github: GitHub,
  ports: Ports,
): Promise<number | undefined> {
  const { deploymentId, revisionId } = facts;
  if (deploymentId === undefined || revisionId === undefined) return undefined;
  const id = await github.createRecord({
    ref: plan.ref,
    task: plan.task,
    environment: plan.environment,
    transient: plan.transient,
    production: plan.production,
    payload: {
      deployment_id: deploymentId,
      revision_id: revisionId,
      name: facts.name,
      pull_request: plan.pullRequest,
      run_id: run.runId,
      source: facts.source,
      created: facts.created,
    },
  });
  if (id === undefined)
    ports.log.warning(
      "GitHub took the deployment's record without making one; this deployment isn't shown there.",
    );
  return id;
}

function description(facts: Readonly<Facts>): string {
  return inertLine(`Revision ${facts.revisionId}`);
}

function endDescription(facts: Readonly<Facts>, ending: Ending): string {
  const status = facts.statuses.at(-1)?.status;
  return inertLine(`${spellOutcome(ending.outcome)}${status === undefined ? "" : ` (${status})`}`);
}
