import type { ComparisonResult } from "../../comparison-results.ts";
import { ActionError, type Result, toResult } from "../../errors.ts";
import type { CompareInputs } from "../../inputs/checks.ts";
import { describeComparison } from "../../report/describe-comparison.ts";
import type { CheckResult } from "../../results.ts";
import { text } from "../../text/message.ts";
import type { Check, Finding } from "../checks/check.ts";
import { ReadingTime } from "./agent-reader.ts";
import {
  type Agent,
  type Baseline,
  type CompareJob,
  readCompared,
  readerOf,
  type ServedBefore,
} from "./baseline.ts";
import { compareContracts } from "./compare-contracts.ts";
import type { Contract } from "./contract.ts";
import { readContract } from "./read-contract.ts";
import { readThreads } from "./read-threads.ts";

/** The comparison as a check of the deployed agent; none without `compare_with`. */
export function comparisonCheck(compare: CompareInputs | undefined, baseline: Baseline | undefined): Check[] {
  if (compare === undefined || baseline === undefined) return [];
  const perform: Check["perform"] = ({ job, agent, ours }) => {
    const known = ours.liveBefore?.isActive && baseline.kind === "nothing_before" ? appeared : baseline;
    return runComparison(job, { compare, baseline: known, agent });
  };
  return [{ kind: "comparison", name: compare.target, perform }];
}

/** The deployment was not there when this run looked for it, but its update found a live revision. */
const appeared: Baseline = {
  kind: "unreadable",
  error: new ActionError(
    text`The deployment became live by another run while this one began, so what it served before was not read.`,
    { code: "baseline_appeared", hint: text`Run the job again.` },
  ),
};

interface Comparison {
  readonly compare: CompareInputs;
  readonly baseline: Baseline;
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
  { compare, baseline, agent }: Comparison,
): Promise<Finding | undefined> {
  const { report } = job;
  report.activity(text`still comparing what the agents serve`);
  const result = await compareWith(job, baseline, agent);
  report.activity(undefined);
  const { finding, hint, warnings, passed, notice } = describeComparison(compare, result);
  report.compared({ target: compare.target, url: "url" in baseline ? baseline.url : undefined, result });
  for (const warning of warnings) report.warning(warning);
  if (notice !== undefined) report.notice(notice);
  return finding && { passed, finding, ...(hint && { hint }) };
}

async function compareWith(job: CompareJob, baseline: Baseline, agent: Agent): Promise<ComparisonResult> {
  switch (baseline.kind) {
    case "nothing_before":
      return { kind: "nothing_before" };
    case "unreadable":
      return unreadable("compared", baseline.error);
    case "previous":
      return await baseline.time.spend(job, async (deadline) => {
        const after = await readNew(job, agent, deadline);
        return "error" in after ? unreadable("new", after.error) : conclude(baseline.served, after.value);
      });
    case "other":
      return await new ReadingTime().spend(job, (deadline) =>
        compareWithOther(job, baseline.agent, agent, deadline),
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
  return conclude({ contract: before.value.contract, threads }, after.value);
}

async function readGraphs(job: CompareJob, agent: Agent, deadline: number) {
  const reader = readerOf(job, agent, deadline);
  return { reader, contract: await readCompared(reader, job) };
}

function readNew(job: CompareJob, agent: Agent, deadline: number): Promise<Result<Contract>> {
  const { cancelled } = job;
  return toResult(async () => await readContract(readerOf(job, agent, deadline), cancelled), cancelled);
}

function conclude({ contract, threads }: ServedBefore, after: Contract): ComparisonResult {
  if ("value" in threads) {
    const changes = compareContracts(contract, after, threads.value.threads);
    const { read, total } = threads.value;
    return { kind: "compared", changes, threads: { read, total } };
  }
  const changes = compareContracts(contract, after, []);
  return { kind: "unreadable", what: "threads", error: threads.error, changes };
}

function unreadable(what: "compared" | "new", error: ActionError): ComparisonResult {
  return { kind: "unreadable", what, error, changes: [] };
}
