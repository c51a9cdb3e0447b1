import type { ComparisonResult, ComparisonVerdict, ContractChange } from "../../comparison-results.ts";
import { ActionError, type Result, toResult } from "../../errors.ts";
import type { CompareInputs } from "../../inputs/checks.ts";
import { isSameId } from "../../platform/deployment.ts";
import { describeComparison } from "../../report/describe-comparison.ts";
import { id, input, text } from "../../text/message.ts";
import type { CheckResult } from "../../watch-results.ts";
import type { LiveRevision } from "../apply/revision-history.ts";
import type { Check, Finding } from "../checks/check.ts";
import { ReadingTime } from "./agent-reader.ts";
import { compareContracts, comparesOnlyNames } from "./compare-contracts.ts";
import {
  type Agent,
  type ComparedWith,
  type CompareJob,
  readCompared,
  readerOf,
  type ServedBefore,
} from "./compared-with.ts";
import type { Contract } from "./contract.ts";
import { readContract } from "./read-contract.ts";
import { readThreads } from "./read-threads.ts";

/** The comparison as a check of the deployed agent; none without `compare_with`. */
export function comparisonCheck(
  compare: CompareInputs | undefined,
  comparedWith: ComparedWith | undefined,
): Check[] {
  if (compare === undefined || comparedWith === undefined) return [];
  const perform: Check["perform"] = ({ job, agent, ours: { liveBefore } }) =>
    runComparison(job, { compare, comparedWith, liveBefore, agent });
  return [{ kind: "comparison", name: compare.target, perform }];
}

export interface Comparison {
  readonly compare: CompareInputs;
  readonly comparedWith: ComparedWith;
  /** Which revision was live when the new one was requested. */
  readonly liveBefore: LiveRevision | undefined;
  /** That of the new revision. */
  readonly agent: Agent;
}

/** The same for an action without other checks. Throws like `runComparison`. */
export async function compareAgents(
  job: CompareJob,
  comparison: Comparison,
): Promise<CheckResult | undefined> {
  const startedAt = job.clock.now();
  const finding = await runComparison(job, comparison);
  const durationMs = job.clock.now() - startedAt;
  return finding && { kind: "comparison", name: comparison.compare.target, durationMs, ...finding };
}

/**
 * Compares what the new revision serves with what was served before or is served elsewhere, and reports it
 * (docs/specification.md#comparing-deployments). Undefined if there was nothing before.
 *
 * @throws the reason of a cancellation.
 */
async function runComparison(
  job: CompareJob,
  { compare, comparedWith, liveBefore, agent }: Comparison,
): Promise<Finding | undefined> {
  const { report } = job;
  const { target } = compare;
  report.activity(text`still comparing what the agents serve`);
  const result = await compareWith(job, checkStillLive(comparedWith, liveBefore), agent);
  report.activity(undefined);
  const verdict = decideVerdict(result, compare);
  const { finding, hint, warnings, notice } = describeComparison(target, result, verdict);
  report.compared({ target, url: "url" in comparedWith ? comparedWith.url : undefined, result });
  for (const warning of warnings) report.warning(warning);
  if (notice !== undefined) report.notice(notice);
  return finding && { passed: verdict === "passed", finding, ...(hint && { hint }) };
}

/** A gate that saw nothing, or only one side, is not open. */
function decideVerdict(result: ComparisonResult, { isGate }: CompareInputs): ComparisonVerdict {
  if (result.kind === "nothing_before") return "nothing_before";
  const isKept = result.kind === "compared" && !result.changes.some(({ breaking }) => breaking);
  if (isKept) return "passed";
  return isGate ? "failed" : "warned";
}

/**
 * What to compare with, unless another revision was live by the time of this run's request: what that one served was not
 * read.
 */
function checkStillLive(comparedWith: ComparedWith, liveBefore: LiveRevision | undefined): ComparedWith {
  const { kind } = comparedWith;
  if (liveBefore === undefined || kind === "other" || kind === "unreadable") return comparedWith;
  const readId = "liveRevisionId" in comparedWith ? comparedWith.liveRevisionId : undefined;
  // If the platform does not show which revision is live, nothing shows that it is another one.
  const isReplaced =
    kind === "nothing_before" || (liveBefore.isActive && !isSameId(liveBefore.id, readId ?? ""));
  if (!isReplaced) return comparedWith;
  const read = readId ? text`revision ${id(readId)} was` : text`none was`;
  const error = new ActionError(
    text`Revision ${id(liveBefore.id)} was live when this run deployed, but ${read} when it read what to compare with.`,
    {
      code: "previous_replaced",
      hint: text`Compare by hand, or set ${input("compare_with")} to another deployment.`,
    },
  );
  return { kind: "unreadable", error };
}

async function compareWith(
  job: CompareJob,
  comparedWith: ComparedWith,
  agent: Agent,
): Promise<ComparisonResult> {
  switch (comparedWith.kind) {
    case "nothing_before":
      return { kind: "nothing_before" };
    case "unreadable":
      return unreadable("compared", comparedWith.error);
    case "previous":
      return await comparedWith.time.spend(job, async (deadline) => {
        const after = await readNew(job, agent, deadline);
        return "error" in after
          ? unreadable("new", after.error)
          : compareServed(comparedWith.served, after.value);
      });
    case "other":
      return await new ReadingTime().spend(job, (deadline) =>
        compareWithOther(job, comparedWith.agent, agent, deadline),
      );
  }
}

/** The threads are read last: they take most of the time, and are worth nothing without the rest. */
async function compareWithOther(
  job: CompareJob,
  compared: Agent,
  agent: Agent,
  deadline: number,
): Promise<ComparisonResult> {
  const { cancelled } = job;
  const before = await toResult(() => readGraphs(job, compared, deadline), cancelled);
  if ("error" in before) return unreadable("compared", before.error);
  const after = await readNew(job, agent, deadline);
  if ("error" in after) return unreadable("new", after.error);
  const threads = await toResult(() => readThreads(before.value.reader, cancelled), cancelled);
  return compareServed({ contract: before.value.contract, threads }, after.value);
}

async function readGraphs(job: CompareJob, agent: Agent, deadline: number) {
  const reader = readerOf(job, agent, deadline);
  return { reader, contract: await readCompared(reader, job) };
}

function readNew(job: CompareJob, agent: Agent, deadline: number): Promise<Result<Contract>> {
  const { cancelled } = job;
  return toResult(async () => await readContract(readerOf(job, agent, deadline), cancelled), cancelled);
}

function compareServed({ contract, threads }: ServedBefore, after: Contract): ComparisonResult {
  const changes = compareContracts(contract, after, "value" in threads ? threads.value.threads : []);
  if ("error" in threads) return { kind: "unreadable", what: "threads", error: threads.error, changes };
  if (comparesOnlyNames(contract, after)) {
    return { kind: "unreadable", what: "parts", error: findUnreadError(changes), changes };
  }
  const { read, total } = threads.value;
  return { kind: "compared", changes, threads: { read, total } };
}

function findUnreadError(changes: readonly ContractChange[]): ActionError {
  for (const change of changes) {
    if (change.kind === "not_compared" && change.reason.kind === "unread") return change.reason.error;
  }
  return new ActionError(text`The agents do not both show the nodes or a schema of a graph.`, {
    code: "nothing_compared",
    hint: text`Check that both are agent servers, and ${input("agent_headers")} if they show more with a key.`,
  });
}

function unreadable(what: "compared" | "new", error: ActionError): ComparisonResult {
  return { kind: "unreadable", what, error, changes: [] };
}
