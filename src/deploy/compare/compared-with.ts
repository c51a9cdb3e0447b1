import { type Agent, type AgentOptions, connectAgent } from "../../agent/agent-client.ts";
import { Failure, type Result, toResult } from "../../errors.ts";
import { type CompareInputs, previousTarget } from "../../inputs/checks.ts";
import { type Deployment, isSameId } from "../../platform/deployment.ts";
import { isUnknownId } from "../../platform/error-kinds.ts";
import type { ControlPlaneSettings } from "../../platform/platforms.ts";
import { code, id, input, joined, type Message, text } from "../../text/message.ts";
import { type ExistingDeployment, findByName } from "../apply/find-deployment.ts";
import { liveRevision, type RunRevision } from "../apply/revision-history.ts";
import type { DeployJob, PlatformJob } from "../job.ts";
import { AgentReader, maxReadingMs } from "./agent-reader.ts";
import { type Contract, readContract } from "./read-contract.ts";
import { readThreads, type WaitingThreads } from "./read-threads.ts";

/** A job that compares agents. */
export interface CompareJob extends PlatformJob {
  readonly settings: ControlPlaneSettings;
}

/** What an agent serves, and which threads wait on it. */
export interface ServedBefore {
  readonly contract: Contract;
  readonly threads: Result<WaitingThreads>;
}

/** What a new revision is to be compared with. */
export type ComparedWith =
  /** There is none, because this is the first revision. */
  | { readonly kind: "nothing_before" }
  | { readonly kind: "unreadable"; readonly error: Failure }
  /** Another deployment, which is read when the new revision is. */
  | { readonly kind: "other"; readonly agent: Agent; readonly url: string | undefined }
  /** What the deployment itself served, read before the write: nothing shows it afterwards. */
  | {
      readonly kind: "previous";
      readonly served: ServedBefore;
      /** How long that took, in milliseconds. */
      readonly readingMs: number;
      readonly url: string | undefined;
      /** Which revision was live when it was read; undefined or null if the platform does not show that. */
      readonly liveRevisionId: Deployment["activeRevisionId"];
    };

/** The reader of an agent until a deadline. @throws Failure if the agent can't be requested */
export function readerOf(job: CompareJob, agent: Agent, deadline: number): AgentReader {
  if ("error" in agent) throw agent.error;
  return new AgentReader(agent.value, { deadline, requestTimeoutMs: job.settings.requestTimeoutMs }, job);
}

/** What this run does with its deployment. */
type RunKind =
  | { readonly kind: "makes_revision"; readonly existing: ExistingDeployment }
  /** The revision that is live stays the same. */
  | { readonly kind: "unchanged"; readonly existing: ExistingDeployment }
  /** An earlier attempt or step of this run started the revision. */
  | { readonly kind: "resumed"; readonly resumed: RunRevision };

/**
 * Finds what `compare_with` names, and reads what the deployment itself serves if it names that. Undefined if nothing is to be
 * compared.
 *
 * @throws Failure if another deployment is named that is not found (of a gate only) or could not be looked up, or if this
 *   run's own could not be read from the platform, and the reason of a cancellation.
 */
export async function findComparedWith(job: DeployJob, run: RunKind): Promise<ComparedWith | undefined> {
  const { checks, dryRun } = job.options;
  if (checks.compare === undefined) return undefined;
  const { target } = checks.compare;
  const own = await ownDeployment(job, run);
  if (!isOwn(job, target, own)) return await findOther(job, checks.compare);
  if (run.kind === "unchanged") {
    job.report.info(
      text`Nothing is compared with ${code(target)}: the revision that is live stays the same.`,
    );
    return undefined;
  }
  if (own === undefined) return { kind: "nothing_before" };
  // Its agent is requested for a comparison only.
  if (dryRun) return undefined;
  return await readPrevious(job, checks, own, run.kind === "resumed" ? run.resumed : undefined);
}

async function ownDeployment({ controlPlane }: DeployJob, run: RunKind): Promise<Deployment | undefined> {
  if (run.kind === "resumed") return await controlPlane.getDeployment(run.resumed.deploymentId);
  return run.existing.kind === "found" ? run.existing.deployment : undefined;
}

/**
 * Reads what a deployment serves before it is changed. `resumed`: the revision of this run, if an earlier attempt or step
 * started it: what was served before it is shown only as long as it is not live.
 *
 * @throws Failure if the platform could not be asked which revision is live, and the reason of a cancellation.
 */
export async function readPrevious(
  job: CompareJob,
  inputs: AgentOptions,
  deployment: Deployment,
  resumed: RunRevision | undefined,
): Promise<ComparedWith> {
  if (await servesNothing(job, deployment, resumed?.revisionId)) return { kind: "nothing_before" };
  if (resumed === undefined) return await readServed(job, inputs, deployment);
  const isReplaced = ({ activeRevisionId: liveId }: Deployment) =>
    typeof liveId !== "string" || isSameId(liveId, resumed.revisionId);
  if (!isReplaced(deployment)) {
    const previous = await readServed(job, inputs, deployment);
    if (!isReplaced(await job.controlPlane.getDeployment(deployment.id))) return previous;
  }
  return previousReplaced(
    text`The version that was live before revision ${id(resumed.revisionId)} can no longer be read, because an earlier attempt or step of this run started that revision.`,
  );
}

/** What was served before is not known, and can't be read any more. */
export function previousReplaced(message: Message): ComparedWith {
  const hint = text`Compare by hand, or set ${input("compare_with")} to another deployment.`;
  return { kind: "unreadable", error: new Failure(message, { hint }) };
}

/** Whether a deployment has no live revision, as far as it and its revisions show that; that of `exceptId` does not count. */
async function servesNothing(
  { controlPlane }: PlatformJob,
  deployment: Deployment,
  exceptId: string | undefined,
): Promise<boolean> {
  // A deployment that does not show whether a revision is live may have one.
  if (deployment.activeRevisionId !== null) return false;
  const { listed, isComplete } = await controlPlane.listRevisions(deployment.id);
  return isComplete && liveRevision(deployment, listed, exceptId) === undefined;
}

function isOwn({ plan }: DeployJob, target: string, own: Deployment | undefined): boolean {
  const isNamed =
    plan.target.kind === "name" ? plan.target.name === target : isSameId(plan.target.id, target);
  return (
    target === previousTarget || isNamed || own?.name === target || (own && isSameId(own.id, target)) === true
  );
}

const targetRule = text`${input("compare_with")} must be the name or the ID of a deployment in the same workspace.`;

async function findOther(job: DeployJob, { target, isGate }: CompareInputs): Promise<ComparedWith> {
  const deployment = await findCompared(job, target);
  if (deployment?.url !== undefined) {
    const { url } = deployment;
    return { kind: "other", agent: connectAgent(url, job.options.checks, job.cancelled), url };
  }
  if (deployment !== undefined) {
    const message = text`Deployment ${code(target)} has no URL yet, so there is nothing to compare with.`;
    const hint = text`If its first deploy is still running, there is nothing to do: later runs compare with it. Otherwise, set ${input("custom_url")} in the workflow that deploys it.`;
    return { kind: "unreadable", error: new Failure(message, { code: "no_deployment", hint }) };
  }
  const error = new Failure(text`There is no deployment ${code(target)} to compare with.`, {
    code: "no_deployment",
    hint: isGate
      ? text`${targetRule} If it has not been deployed yet, leave out ${input("compare_with")} until it has, or set ${code("breaking_changes: warn")}.`
      : text`If it has not been deployed yet, there is nothing to do: later runs compare with it. ${targetRule}`,
  });
  if (isGate) throw error;
  // No check follows that would say it.
  if (job.options.dryRun) job.report.warning(joined([error.ending.message, error.ending.hint]));
  return { kind: "unreadable", error };
}

/** The deployment of a name, or else of an id. */
async function findCompared(job: PlatformJob, target: string): Promise<Deployment | undefined> {
  const named = await findByName(job, target);
  if (named.kind !== "missing") return named.deployment;
  const read = await toResult(() => job.controlPlane.getDeployment(target), job.cancelled);
  if ("value" in read) return read.value;
  // A name that is no id is an invalid one, for the platform or for a path.
  if (isUnknownId(read.error)) return undefined;
  throw read.error;
}

async function readServed(
  job: CompareJob,
  inputs: AgentOptions,
  { url, activeRevisionId: liveRevisionId }: Deployment,
): Promise<ComparedWith> {
  const { clock, report, cancelled } = job;
  const startedAt = clock.now();
  const read = async (): Promise<ServedBefore> => {
    const agent = connectAgent(url, inputs, cancelled);
    const { reader, contract } = await readCompared(job, agent, startedAt + maxReadingMs);
    return { contract, threads: await toResult(() => readThreads(reader, cancelled), cancelled) };
  };
  const served = await report.during(text`still reading what the deployment serves`, () =>
    toResult(read, cancelled),
  );
  if ("error" in served) return { kind: "unreadable", error: served.error };
  const readingMs = clock.now() - startedAt;
  return { kind: "previous", served: served.value, readingMs, url, liveRevisionId };
}

/**
 * The graphs of the agent to compare with, and the reader for the rest.
 *
 * @throws Failure if they can't be read or there are none, and the reason of a cancellation
 */
export async function readCompared(
  job: CompareJob,
  agent: Agent,
  deadline: number,
): Promise<{ readonly reader: AgentReader; readonly contract: Contract }> {
  const reader = readerOf(job, agent, deadline);
  const contract = await readContract(reader, job.cancelled);
  if (contract.graphs.size > 0) return { reader, contract };
  throw new Failure(text`The agent to compare with lists no graphs of its own.`, {
    hint: text`Check that it is an agent server. If it lists its graphs only with a key, check ${input("agent_headers")}.`,
  });
}
