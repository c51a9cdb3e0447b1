import type { CheckResult } from "../../results/watch.ts";
import { formatSeconds } from "../../text/format.ts";
import { code, text } from "../../text/message.ts";
import { lastStatus, liveNow, type RunFacts } from "../facts.ts";
import type { Renderer } from "../renderer.ts";
import type { Writer, WriterContext } from "../report.ts";
import { contractChangesOutput } from "../sections/comparison.ts";
import { platformPage } from "../sections/links.ts";
import { checkSentence } from "../sentences/check-messages.ts";

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
    onEvent(event, facts) {
      setKnown(facts);
      // The rest of the run, such as a rollback, may take long.
      if (event !== "checksEnded") return;
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
    message: render.plain(checkSentence(test)),
  };
}
