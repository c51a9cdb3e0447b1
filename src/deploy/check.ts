import { type Agent, connectAgent } from "../agent/agent-client.ts";
import type { Check } from "../checks/check.ts";
import { healthCheck } from "../checks/health-check.ts";
import { describeFailedChecks, describePassedChecks } from "../checks/outcome.ts";
import { runChecks } from "../checks/run-checks.ts";
import { smokeTestCheck } from "../checks/run-smoke-test.ts";
import { servingCheck } from "../checks/serving-check.ts";
import { type Ending, Failure } from "../errors.ts";
import type { CheckInputs } from "../inputs/checks.ts";
import { id, type Message, text } from "../text/message.ts";
import type { RevisionJob } from "./job.ts";
import type { LiveDeployment } from "./live.ts";
import { showServerLog } from "./logs/failure-log.ts";
import type { RunRevision } from "./run-revision.ts";

/** A live revision did not pass its checks. */
export class CheckFailure extends Failure {
  override readonly name = "CheckFailure";
  /** False if nothing but its commit is wrong: the agent itself is fine. */
  readonly allowsRollback: boolean;

  constructor(
    { message, hint = checkAgent, ...ending }: Pick<Ending, "message" | "failure" | "place" | "hint">,
    allowsRollback: boolean,
  ) {
    super(message, { ...ending, hint });
    this.allowsRollback = allowsRollback;
  }
}

const checkAgent = text`Check the agent at the deployment's URL.`;

/**
 * Runs the checks that the inputs ask for on the live revision, and shows the end of the server's log after one that failed.
 * `further`: those that need more than the agent.
 *
 * @throws CheckFailure if one fails
 */
export async function check(
  job: RevisionJob,
  run: RunRevision,
  live: LiveDeployment,
  further: (agent: Agent) => readonly Check[] = () => [],
): Promise<void> {
  const { options, report, clock, cancelled } = job;
  const agent = connectAgent(live.deployment.url, options.checks, cancelled);
  const checks = [...requestedChecks(job, run, agent, options.checks), ...further(agent)];
  const results = await runChecks(job, agent, checks);
  report.set({ endedAt: clock.now(), left: undefined });
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length === 0) return;
  // Of what was built or is compared, the server's log shows nothing.
  const asked = failed.some(({ kind }) => kind !== "comparison" && kind !== "commit check");
  const log = asked ? await showServerLog(job, run) : undefined;
  const allowsRollback = failed.some(({ kind }) => kind !== "commit check");
  const described = describeFailedChecks(text`Revision ${id(run.revisionId)} went live`, results);
  throw new CheckFailure({ ...described, place: log?.place }, allowsRollback);
}

/** The checks that the inputs ask for, in order: the first finds out which revision the others ask. */
function requestedChecks(job: RevisionJob, run: RunRevision, agent: Agent, inputs: CheckInputs): Check[] {
  const { serving, healthPath, smokeTests } = inputs;
  return [
    ...(serving === "off" ? [] : [checkServing(job, run, agent, serving)]),
    ...(healthPath === undefined ? [] : [healthCheck(job, agent, healthPath, inputs.timeoutMs)]),
    ...smokeTests.map((test) => smokeTestCheck(agent, test)),
  ];
}

function checkServing(job: RevisionJob, run: RunRevision, agent: Agent, mode: "auto" | "require"): Check {
  return servingCheck(job, agent, {
    mode,
    timeoutMs: job.options.checks.timeoutMs,
    revisionId: run.revisionId,
    onVersion: (serverVersion) => job.report.set({ serverVersion }),
  });
}

/** The health and serving checks of what a rollback brought back. @throws CheckFailure if one fails */
export async function checkRolledBack(
  job: RevisionJob,
  run: RunRevision,
  live: LiveDeployment,
): Promise<void> {
  const checks = { ...job.options.checks, smokeTests: [] };
  await check({ ...job, options: { ...job.options, checks } }, run, live);
}

/** What is said of a live revision whose checks passed. */
export function passedChecks({ report }: RevisionJob): readonly Message[] {
  return describePassedChecks(report.state.checks);
}
