import type { CheckResult } from "../../checks/check.ts";
import {
  type ComparisonResult,
  type ContractChange,
  itemsOfList,
  type ThreadsRead,
} from "../../results/comparison.ts";
import { formatSeconds } from "../../text/format.ts";
import { code, joined, text } from "../../text/message.ts";
import { lastStatus, liveNow, type RunFacts } from "../facts.ts";
import type { Renderer } from "../renderer.ts";
import type { WriterContext } from "../report.ts";
import { platformPage } from "../sections/links.ts";
import { threadsOf } from "../sentences/comparison.ts";
import { describeContractChange } from "../sentences/contract-changes.ts";
import type { Writer } from "../writer.ts";

/**
 * Writes outputs as soon as they are known, so that a killed run leaves them behind; one that turns out to be wrong is
 * emptied. `names`: those of the action; undefined for all.
 */
export function outputsWriter({ report, files, clock }: WriterContext, names?: readonly string[]): Writer {
  const { render } = report;
  const written = new Map<string, string>();
  const set = (name: string, value = "") => {
    if ((written.get(name) ?? "") === value || names?.includes(name) === false) return;
    written.set(name, value);
    files.setOutput(name, value);
  };
  const setId = (name: string, value: string | undefined) => set(name, value && render.value(value));
  const setKnown = (facts: RunFacts) => {
    setId("name", facts.name);
    setId("source_digest", facts.sourceDigest);
    setId("commit_sha", facts.commitSha ?? facts.sourceCommit?.sha);
    if (facts.deploymentId === undefined) return;
    setId("deployment_id", facts.deploymentId);
    setId("revision_id", facts.revisionId);
    setId("previous_revision_id", facts.previousRevisionId);
    set("created", String(facts.created));
    setId("deployment_url", facts.url);
    set("platform_url", platformPage(facts, render)?.href);
    set("server_version", facts.serverVersion && render.plain(text`${code(facts.serverVersion, 100)}`));
  };
  const setSmokeTests = ({ checks }: RunFacts) => {
    const tests = checks.filter(({ kind }) => kind === "smoke test");
    if (tests.length > 0) {
      set("smoke_tests", JSON.stringify(tests.map((test) => smokeTestOutput(test, render))));
    }
  };
  const setChanges = ({ comparison }: RunFacts) =>
    set("contract_changes", comparison && contractChangesOutput(comparison.result, render));
  return {
    onChange: setKnown,
    // The rest of the run, such as a rollback, may take long.
    onChecksEnded(facts) {
      setSmokeTests(facts);
      setChanges(facts);
    },
    onEnd(facts, { outcome }) {
      setKnown(facts);
      set("created", String(facts.created));
      const status = lastStatus(facts);
      set("status", status && render.plain(text`${code(status.raw)}`));
      set("outcome", outcome);
      const isGone = outcome === "deleted";
      if (isGone) set("platform_url", "");
      setId("live_revision_id", isGone ? undefined : liveNow(facts));
      setId("rolled_back_to", facts.rolledBackTo);
      setSmokeTests(facts);
      setChanges(facts);
      const durationMs =
        facts.requestedAt === undefined ? 0 : (facts.endedAt ?? clock.now()) - facts.requestedAt;
      set("duration_seconds", String(Math.round(durationMs / 1000)));
    },
  };
}

function smokeTestOutput(test: CheckResult, render: Renderer) {
  const { name, passed, durationMs } = test;
  return {
    name: render.plain(text`${code(name)}`),
    passed,
    seconds: Number(formatSeconds(durationMs)),
    message: render.plain(test.message),
  };
}

/** The most that `contract_changes` holds: GitHub takes a megabyte of outputs of a job. */
const maxOutputBytes = 900_000;

/** What a comparison found, as a JSON list; the changes beyond the limit are one last entry. */
function contractChangesOutput(result: ComparisonResult, render: Renderer): string {
  const changes = result.kind === "nothing_before" ? [] : result.changes;
  const entries: string[] = [];
  let bytes = 0;
  for (const change of changes) {
    const entry = JSON.stringify(changeOutput(change, threadsOf(result), render));
    bytes += Buffer.byteLength(entry) + 1;
    if (bytes > maxOutputBytes) {
      entries.push(JSON.stringify(cutNote(changes.length - entries.length)));
      break;
    }
    entries.push(entry);
  }
  return `[${entries.join(",")}]`;
}

/** Stands for the changes that have no place in the output; the breaking ones come first. */
function cutNote(count: number) {
  const message = `${count} more changes are not shown.`;
  return { graph: "", kind: "not compared", breaking: false, path: "", message, threads: 0 };
}

function changeOutput(change: ContractChange, threads: ThreadsRead | undefined, render: Renderer) {
  const { what, advice } = describeContractChange(change, threads);
  return {
    graph: render.plain(text`${code(change.graph, 200)}`),
    kind: kindOf(change),
    breaking: change.breaking,
    path: render.plain(text`${code(pathOf(change), 300)}`),
    message: render.plain(joined([what, advice])),
    threads: "threads" in change ? change.threads.length : 0,
  };
}

function kindOf(change: ContractChange): string {
  switch (change.kind) {
    case "graph_gone":
    case "graph_new":
      return "graph";
    case "node_gone":
      return "node";
    case "schema":
      return change.schema;
    case "not_compared":
      return "not compared";
  }
}

/** The names of properties, joined by dots. */
function propertiesOf(path: readonly string[]): string {
  return path.filter((part) => part !== itemsOfList).join(".");
}

function pathOf(change: ContractChange): string {
  switch (change.kind) {
    case "node_gone":
      return change.node;
    case "schema":
      return propertiesOf(change.path);
    case "not_compared":
      if (change.reason.kind === "schema") return propertiesOf(change.reason.path);
      return change.reason.kind === "subgraph" ? change.reason.node : "";
    default:
      return "";
  }
}
