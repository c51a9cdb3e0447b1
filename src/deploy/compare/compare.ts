import type { Agent } from "../../agent/agent-client.ts";
import type { Check, CheckOutcome } from "../../checks/check.ts";
import { Failure, type Result, toResult } from "../../errors.ts";
import { isSameId } from "../../platform/deployment.ts";
import { comparisonProblem, describeGaps, summarizeComparison } from "../../report/sentences/comparison.ts";
import type { ComparisonResult, ContractChange } from "../../results/comparison.ts";
import { id, input, text } from "../../text/message.ts";
import type { LiveRevision, RunRevision } from "../apply/revision-history.ts";
import type { CheckedJob } from "../job.ts";
import { maxReadingMs } from "./agent-reader.ts";
import { compareContracts, comparesOnlyNames } from "./compare-contracts.ts";
import {
  type ComparedWith,
  type CompareJob,
  previousReplaced,
  readCompared,
  readerOf,
  type ServedBefore,
} from "./compared-with.ts";
import { type Contract, readContract } from "./read-contract.ts";
import { readThreads, type WaitingThread } from "./read-threads.ts";

/**
 * `compare_with` as a check, which compares what the new revision serves with what was served before or is served elsewhere
 * (docs/specification.md#comparing-deployments). No check if there is nothing to compare.
 */
export function comparison(
  job: CheckedJob,
  { liveBefore }: RunRevision,
  agent: Agent,
  comparedWith: ComparedWith | undefined,
): Check[] {
  const { compare } = job.options.checks;
  if (compare === undefined || comparedWith === undefined) return [];
  const perform = async (): Promise<CheckOutcome> => {
    const result = await compareWith(job, checkStillLive(comparedWith, liveBefore), agent);
    job.report.compared({ ...compare, url: "url" in comparedWith ? comparedWith.url : undefined, result });
    if (result.kind === "nothing_before") return { skipped: text`nothing to compare with` };
    const problem = comparisonProblem(result);
    const passed = problem === undefined || !compare.isGate;
    const summary = summarizeComparison(result);
    const gaps = passed ? describeGaps(result) : undefined;
    const shown = passed ? text`${summary}${gaps && text` (${gaps})`}` : problem.what;
    const warns = passed && (problem !== undefined || gaps !== undefined);
    return { passed, what: shown, hint: passed ? undefined : problem.hint, warns, summary };
  };
  return [{ kind: "comparison", name: compare.target, wakes: true, perform }];
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
  const read = readId ? text`revision ${id(readId)} was live` : text`no revision was live`;
  return previousReplaced(
    text`Revision ${id(liveBefore.id)} was live when this run deployed, but ${read} when the run read what to compare with.`,
  );
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
    case "previous": {
      const { served, readingMs } = comparedWith;
      const after = await readNew(job, agent, job.clock.now() + maxReadingMs - readingMs);
      return "error" in after ? unreadable("new", after.error) : compareServed(served, after.value);
    }
    case "other":
      return await compareWithOther(job, comparedWith.agent, agent);
  }
}

/** The threads are read last: they take most of the time, and are worth nothing without the rest. */
async function compareWithOther(job: CompareJob, compared: Agent, agent: Agent): Promise<ComparisonResult> {
  const { cancelled } = job;
  const deadline = job.clock.now() + maxReadingMs;
  const before = await toResult(() => readCompared(job, compared, deadline), cancelled);
  if ("error" in before) return unreadable("compared", before.error);
  const after = await readNew(job, agent, deadline);
  if ("error" in after) return unreadable("new", after.error);
  const { reader, contract } = before.value;
  const threads = await toResult(() => readThreads(reader, cancelled), cancelled);
  return compareServed({ contract, threads }, after.value);
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
  const unread = findUnreadNodes(after, threads.value.threads);
  if (unread !== undefined) {
    return { kind: "unreadable", what: "nodes", error: unread, changes, threads: { read, total } };
  }
  return { kind: "compared", changes, threads: { read, total } };
}

/** Why the nodes of a graph on which threads wait can't be read; undefined if all can. */
function findUnreadNodes(after: Contract, threads: readonly WaitingThread[]): Failure | undefined {
  for (const { graph } of threads) {
    const nodes = after.graphs.get(graph)?.nodes;
    if (nodes !== undefined && "error" in nodes) return nodes.error;
  }
  return undefined;
}

function findUnreadError(changes: readonly ContractChange[]): Failure {
  for (const change of changes) {
    if (change.kind === "not_compared" && change.reason.kind === "unread") return change.reason.error;
  }
  return new Failure(text`There is no graph for which both agents report the nodes or a schema.`, {
    hint: text`Check that both are agent servers. If they report more with a key, check ${input("agent_headers")}.`,
  });
}

function unreadable(what: "compared" | "new", error: Failure): ComparisonResult {
  return { kind: "unreadable", what, error, changes: [] };
}
