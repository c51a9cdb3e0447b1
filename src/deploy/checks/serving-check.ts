import { isSuccessful } from "../../http/request.ts";
import { isSameId } from "../../platform/deployment.ts";
import { describeShown } from "../../report/sentences/findings.ts";
import type { ShownRevision } from "../../results/watch.ts";
import { id, rawText, text } from "../../text/message.ts";
import { isNewerRevision } from "../watch/live-state.ts";
import { AgentClient } from "./agent-client.ts";
import { type AgentInfo, infoPath, maxUnavailableMs, readInfo } from "./agent-info.ts";
import { type Check, type CheckOutcome, type CheckSubject, checkAgent, pollAgent } from "./check.ts";

/**
 * Requests `/info` until the agent says twice in a row that this run's revision responds
 * (docs/specification.md#serving-check). No check with `serving_check: off`, or with `auto` if the agent can't be requested.
 */
export function servingCheck(subject: CheckSubject): Check[] {
  const { agent, job } = subject;
  const { serving } = job.options.checks;
  if (serving === "off" || (serving === "auto" && !(agent instanceof AgentClient))) return [];
  const perform = () => checkAgent(agent, infoPath, (client) => pollInfo(subject, client));
  return [{ kind: "serving check", name: infoPath, perform }];
}

/**
 * What the last response showed, and what follows; no `outcome` as long as another response may find out. `never_shown`:
 * the server shows no revision, which `auto` accepts.
 */
interface Attempt {
  readonly last: ShownRevision;
  readonly outcome?: CheckOutcome | "never_shown";
}

async function pollInfo(subject: CheckSubject, agent: AgentClient): Promise<CheckOutcome | undefined> {
  const { job, run } = subject;
  const { clock, report, cancelled } = job;
  const { serving, timeoutMs } = job.options.checks;
  const { revisionId } = run;
  // A switch of servers usually takes less; a deployment that this runner can't reach must not take longer.
  const giveUpAt = clock.now() + Math.min(maxUnavailableMs, timeoutMs);
  let lastShown: ShownRevision | undefined;
  let version: string | undefined;
  let logged = "";

  const request = async (responseMs: number): Promise<ShownRevision> => {
    const info = await readInfo(agent, responseMs, cancelled);
    if ("error" in info) return info;
    const { status } = info.value;
    const last = { value: { status, revisionId: shownRevision(info.value, revisionId) } };
    version = info.value.version;
    if (last.value.revisionId !== undefined) lastShown = last;
    return last;
  };

  const attempt = async (responseMs: number): Promise<Attempt> => {
    const first = await request(responseMs);
    // The load balancer may still route to the previous revision.
    const last = isShown(first, revisionId) ? await request(responseMs) : first;
    if (isShown(last, revisionId)) {
      return { last, outcome: { passed: true, finding: { kind: "serving", revisionId } } };
    }
    const mayGiveUp = serving === "auto" && lastShown === undefined;
    if (mayGiveUp && (!isUnavailable(last) || clock.now() >= giveUpAt)) {
      return { last, outcome: "never_shown" };
    }
    const what = describeShown(last);
    if (rawText(what) !== logged) {
      report.info(text`Revision ${id(revisionId)} does not respond yet: ${what}. Retrying.`);
    }
    logged = rawText(what);
    report.setFacts({ activity: text`still waiting for the revision to respond: ${what}` });
    const newerId = await findNewer(subject, last);
    if (newerId === undefined) return { last };
    return { last, outcome: { passed: false, finding: { kind: "superseded", revisionId, newerId } } };
  };

  const { last, outcome } = await pollAgent(job, timeoutMs, attempt, ({ outcome }) => outcome !== undefined);
  // Only then the version is that of this run's revision.
  const isOurs = outcome === "never_shown" || outcome?.passed === true;
  if (isOurs && version !== undefined) report.serverVersion(version);
  if (outcome === "never_shown") {
    report.setFacts({ servingSkipped: last });
    report.info(
      text`The serving check was skipped, because the server did not report its revision: ${describeShown(last)}.`,
    );
    return undefined;
  }
  if (outcome !== undefined) return outcome;
  if (lastShown === last) lastShown = undefined;
  return { passed: false, finding: { kind: "not_serving", revisionId, last, lastShown, timeoutMs } };
}

/** Which revision responded, if that is shown. */
function shownRevision({ status, revisionIds }: AgentInfo, ownId: string): string | undefined {
  // An error may show that another revision responds, but not that this run's works.
  return (
    revisionIds.find((revisionId) => !isSameId(revisionId, ownId)) ??
    (isSuccessful(status) ? revisionIds[0] : undefined)
  );
}

function shownId(shown: ShownRevision): string | undefined {
  return "value" in shown ? shown.value.revisionId : undefined;
}

function isShown(shown: ShownRevision, revisionId: string): boolean {
  const id = shownId(shown);
  return id !== undefined && isSameId(id, revisionId);
}

/** The revision that responded, if it is newer than this run's. */
async function findNewer(
  { job, run, revision }: CheckSubject,
  shown: ShownRevision,
): Promise<string | undefined> {
  const id = shownId(shown);
  return id !== undefined && (await isNewerRevision(job, run, id, revision)) ? id : undefined;
}

/** Whether the server may only be starting or switching: no response, or one that says so. */
function isUnavailable(shown: ShownRevision): boolean {
  if ("error" in shown) return true;
  const { status } = shown.value;
  return status === 408 || status === 429 || status >= 500;
}
