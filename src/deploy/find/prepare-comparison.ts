import * as v from "valibot";
import { connectAgent } from "../../agent/agent-client.ts";
import type { Check } from "../../checks/check.ts";
import { type CompareOptions, comparisonCheck } from "../../checks/comparison-check.ts";
import { type Baseline, readBaseline } from "../../compare/read-baseline.ts";
import { lookUpByName, NoListError } from "../../deployments/look-up-deployment.ts";
import { Failure, type Result, toResult, undefinedIf } from "../../errors.ts";
import { mayBeUnknownId } from "../../http/request-error.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { DeploymentIdSchema, isSameId } from "../../platform/ids.ts";
import { nameOrIdOf } from "../../platform/target.ts";
import { code, inputName, type Phrase, phrase, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";
import { newestDeployed } from "../snapshot.ts";

/** No known platform has a smaller page, so a list with fewer revisions is complete. */
const minPageSize = 20;

/** The value of `compare_with` for the previous revision of the deployment itself. */
const previousKeyword = "previous";

/**
 * Returns the check against the agent that `compare_with` names; undefined if there is none. `existing`: the deployment before
 * this run. `whyNoPrevious`: why its previous revision can't be read any more.
 *
 * @throws Failure if the named deployment can't be looked up. If the input is a gate, also if it does not exist or has no URL,
 *   and if the previous revision can't be read
 */
export async function prepareComparison(
  context: DeployContext,
  existing: Deployment | undefined,
  whyNoPrevious?: Phrase,
): Promise<Check | undefined> {
  const { compare } = context.options;
  if (compare === undefined) return undefined;
  const { comparedWith, isGate } = compare;
  const isTarget = isOwnTarget(context, comparedWith);
  const other = isTarget ? existing : await lookUpNameOrId(context, comparedWith);
  if (isTarget || (other !== undefined && isSameId(existing?.id, other.id))) {
    return await readPrevious(context, existing, compare, whyNoPrevious);
  }
  if (other?.url !== undefined) return comparisonCheck(compare, () => tryReadAgent(context, other.url));
  const error = notServedFailure(comparedWith, other, isGate);
  if (isGate) throw error;
  return comparisonCheck(compare, async () => ({ error }));
}

/** Whether `compare_with` is the deployment that the plan is for. By name too: it may not exist yet. */
function isOwnTarget({ plan }: DeployContext, comparedWith: string): boolean {
  return comparedWith === previousKeyword || comparedWith === nameOrIdOf(plan.target);
}

/** Returns the deployment with this name, or else with this id; undefined if there is none. */
async function lookUpNameOrId(context: DeployContext, nameOrId: string): Promise<Deployment | undefined> {
  const lookUp = () => lookUpByName(context, nameOrId, inputName("compare_with"));
  const found = await undefinedIf(lookUp, (error) => error instanceof NoListError);
  if (found !== undefined) return found;
  const id = v.safeParse(DeploymentIdSchema, nameOrId);
  if (!id.success) return undefined;
  const read = await toResult(() => context.controlPlane.getDeployment(id.output));
  if (read.error === undefined) return read.value;
  // The platform refuses a name that does not look like an id.
  if (mayBeUnknownId(read.error)) return undefined;
  throw read.error;
}

function notServedFailure(nameOrId: string, deployment: Deployment | undefined, isGate: boolean): Failure {
  const ifNotDeployed = isGate
    ? text`If it has not been deployed yet, leave out ${inputName("compare_with")} until it has, or set ${code("breaking_changes: warn")}.`
    : text`If it has not been deployed yet, there is nothing to do.`;
  return deployment === undefined
    ? new Failure(text`There is no deployment ${code(nameOrId)} to compare with.`, {
        hint: text`${inputName("compare_with")} must be the name or the ID of a deployment in the same workspace. ${ifNotDeployed}`,
      })
    : new Failure(text`Deployment ${code(nameOrId)} has no URL yet, so there is nothing to compare with.`, {
        hint: text`${ifNotDeployed} If it has a URL of its own, set ${inputName("custom_url")} in the workflow that deploys it.`,
      });
}

/** Reads the agent of the deployment itself. It is read before the write, which replaces the previous revision. */
async function readPrevious(
  context: DeployContext,
  existing: Deployment | undefined,
  compare: CompareOptions,
  whyNoPrevious: Phrase | undefined,
): Promise<Check | undefined> {
  const { report } = context;
  const reason = whyNoPrevious ?? (await whyNothingServed(context, existing));
  if (reason !== undefined) {
    report.notice(text`Nothing is compared with the previous revision, because ${reason}.`);
    return undefined;
  }
  const baseline = await report.withActivity(phrase`still reading what the deployment serves`, () =>
    tryReadAgent(context, existing?.url),
  );
  if (baseline.error !== undefined && compare.isGate) throw previousUnreadableFailure(baseline.error);
  return comparisonCheck(compare, async () => baseline);
}

async function whyNothingServed(
  { controlPlane }: DeployContext,
  deployment: Deployment | undefined,
): Promise<Phrase | undefined> {
  if (deployment === undefined) return phrase`no deployment was found before this run`;
  if (deployment.activeRevisionId !== undefined) return undefined;
  const { listed } = await controlPlane.listRevisions(deployment.id);
  const mayServe = newestDeployed(listed) !== undefined || listed.length >= minPageSize;
  return mayServe ? undefined : phrase`the deployment served nothing before this run`;
}

/** The failure before the write of a gate that would fail after it. */
function previousUnreadableFailure(cause: Failure): Failure {
  const { message, hint } = cause.ending;
  return new Failure(
    text`The previous revision, which the new one would be compared with, could not be read. ${message}`,
    { hint, cause },
  );
}

async function tryReadAgent(context: DeployContext, url: string | undefined): Promise<Result<Baseline>> {
  const agent = connectAgent(url, context.options.agent, context);
  return agent.error === undefined ? await toResult(() => readBaseline(agent.value, context)) : agent;
}
