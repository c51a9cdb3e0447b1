import { type Agent, connectAgent } from "../agent/agent-client.ts";
import type { Check } from "../checks/check.ts";
import { AgentReader, maxReadingMs } from "../compare/agent-reader.ts";
import { compareAgents } from "../compare/compare-agents.ts";
import { readServed, type Served } from "../compare/comparison.ts";
import { Failure, toResult } from "../errors.ts";
import { previousTarget } from "../inputs/checks.ts";
import { type Deployment, isSameId } from "../platform/deployment.ts";
import { isUnknownId } from "../platform/error-kinds.ts";
import { code, input, joined, type Message, text, withoutFullStop } from "../text/message.ts";
import { findDeployment } from "./find-target.ts";
import type { DeployJob } from "./job.ts";

/** What a new revision is compared with. */
export interface ComparedDeployment {
  readonly target: string;
  readonly isGate: boolean;
  readonly url: string | undefined;
  /** What it serves. @throws Failure if that can't be read */
  readonly read: () => Promise<Served>;
}

/**
 * Finds what `compare_with` names, and reads what the deployment itself serves if it names that: nothing shows it after the
 * write. Undefined if there is nothing to compare with, which is reported. `existing`: the deployment before this run.
 *
 * @throws Failure if another deployment is named that is not served (of a gate only) or could not be looked up
 */
export async function findCompared(
  job: DeployJob,
  existing: Deployment | undefined,
): Promise<ComparedDeployment | undefined> {
  const { compare } = job.options.checks;
  if (compare === undefined) return undefined;
  const { target, isGate } = compare;
  if (isOwnName(job, target)) return await readPrevious(job, existing);
  const other = await findOther(job, target);
  if (other !== undefined && existing !== undefined && isSameId(other.id, existing.id)) {
    return await readPrevious(job, existing);
  }
  if (other?.url !== undefined) {
    const agent = connectAgent(other.url, job.options.checks, job.cancelled);
    return { ...compare, url: other.url, read: () => readServed(readerOf(job, agent, maxReadingMs.served)) };
  }
  const failure = notServed(target, other);
  if (isGate) throw failure;
  job.report.warning(joined([failure.ending.message, failure.ending.hint]));
  return undefined;
}

function isOwnName({ plan }: DeployJob, target: string): boolean {
  if (target === previousTarget) return true;
  return plan.target.kind === "name" ? plan.target.name === target : isSameId(plan.target.id, target);
}

/** The deployment of a name, or else of an id. */
async function findOther(job: DeployJob, target: string): Promise<Deployment | undefined> {
  const named = await findDeployment(job, { kind: "name", name: target });
  if (named !== undefined) return named;
  const read = await toResult(() => job.controlPlane.getDeployment(target), job.cancelled);
  if ("value" in read) return read.value;
  // A name that is no id is an invalid one, for the platform or for a path.
  if (isUnknownId(read.error)) return undefined;
  throw read.error;
}

function notServed(target: string, deployment: Deployment | undefined): Failure {
  const later = text`If it has not been deployed yet, leave out ${input("compare_with")} until it has, or set ${code("breaking_changes: warn")}.`;
  return deployment === undefined
    ? new Failure(text`There is no deployment ${code(target)} to compare with.`, {
        hint: text`${input("compare_with")} must be the name or the ID of a deployment in the same workspace. ${later}`,
      })
    : new Failure(text`Deployment ${code(target)} has no URL yet, so there is nothing to compare with.`, {
        hint: text`${later} If it has a URL of its own, set ${input("custom_url")} in the workflow that deploys it.`,
      });
}

/** What the deployment itself serves. */
async function readPrevious(
  job: DeployJob,
  existing: Deployment | undefined,
): Promise<ComparedDeployment | undefined> {
  const { compare } = job.options.checks;
  if (compare === undefined) return undefined;
  // A deployment that does not show whether a revision is live may have one.
  if (existing === undefined || existing.activeRevisionId === null) {
    return noPrevious(job, text`the deployment served nothing before this run`);
  }
  // Its agent is requested for a comparison only.
  if (job.options.dryRun) return undefined;
  const agent = connectAgent(existing.url, job.options.checks, job.cancelled);
  const served = await job.report.during(text`still reading what the deployment serves`, () =>
    toResult(async () => await readServed(readerOf(job, agent, maxReadingMs.served)), job.cancelled),
  );
  const read = async () => {
    if ("error" in served) throw served.error;
    return served.value;
  };
  return { ...compare, url: existing.url, read };
}

export function noPrevious({ report }: DeployJob, why: Message): undefined {
  report.notice(text`Nothing is compared with the previous revision, because ${why}.`);
}

/** @throws Failure if the agent can't be requested */
function readerOf(job: DeployJob, agent: Agent, readingMs: number): AgentReader {
  const { requestTimeoutMs } = job.settings;
  if ("value" in agent) return new AgentReader(agent.value, { ...job, requestTimeoutMs }, readingMs);
  const { message, hint } = agent.error.ending;
  throw new Failure(text`The agent can't be requested, because ${withoutFullStop(message)}.`, {
    hint: joined([hint, text`Otherwise, remove ${input("compare_with")}.`]),
  });
}

/** `compare_with` as a check of the agent that serves the new revision. */
export function comparisonCheck(job: DeployJob, agent: Agent, compared: ComparedDeployment): Check {
  const { target, isGate, url, read } = compared;
  return {
    kind: "comparison",
    name: target,
    wakes: true,
    async perform() {
      const readerAfter = () => readerOf(job, agent, maxReadingMs.newRevision);
      const { changes, ...finding } = await compareAgents(read, readerAfter, isGate, job.cancelled);
      job.report.compared({ target, url, changes });
      return finding;
    },
  };
}
