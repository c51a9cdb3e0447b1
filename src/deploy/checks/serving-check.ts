import * as v from "valibot";
import { toResult } from "../../errors.ts";
import { isSuccessful } from "../../http/request.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import { type Deployment, isSameId } from "../../platform/deployment.ts";
import { formatDuration } from "../../text/format.ts";
import { parseJson } from "../../text/json.ts";
import { code, id, input, type Message, rawText, text, withoutFullStop } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { isNewerRevision } from "../watch/live-state.ts";
import { AgentClient, connectAgent } from "./agent-client.ts";
import { type Check, type CheckTarget, type Finding, pollAgent, unreachableFinding } from "./check.ts";

const path = "/info";
const field = code("host.host_revision_id");

/**
 * Requests `/info` until the agent says twice in a row that this run's revision responds
 * (docs/specification.md#serving-check). No check with `serving_check: off`.
 */
export function servingCheck({ serving }: CheckInputs): Check[] {
  return serving === "off" ? [] : [{ kind: "serving check", name: path, perform: checkServing }];
}

async function checkServing(target: CheckTarget): Promise<Finding | undefined> {
  const { agent, job } = target;
  const { serving, timeoutMs } = job.options.checks;
  const isRequired = serving === "require";
  if (!(agent instanceof AgentClient)) {
    return isRequired ? unreachableFinding(agent, path, code("serving_check: require")) : undefined;
  }
  const giveUpMs = isRequired ? undefined : Math.min(maxUnavailableMs, timeoutMs);
  const observer = new ServingObserver(agent, target, giveUpMs);
  const result = await pollAgent(job, timeoutMs, (responseMs) => observer.attempt(responseMs));
  // Otherwise another revision's server responded.
  const isOurs = result === "not shown" || result?.passed === true;
  if (isOurs && observer.version !== undefined) job.report.serverVersion(observer.version);
  if (result !== "not shown") return result ?? observer.notServing(timeoutMs);
  job.report.info(text`The serving check was skipped: ${observer.last.what}.`);
  return undefined;
}

/**
 * For how long `auto` retries a server that may only be starting, in milliseconds: longer than a switch of servers usually
 * takes, but short enough for a deployment that this runner can't reach.
 */
const maxUnavailableMs = 10_000;

/** What one response of `/info` shows. `what`: as a part of a sentence. */
interface Seen {
  /** The revision that responded; undefined if it is not shown. */
  readonly id: string | undefined;
  readonly what: Message;
  /** Whether the server may only be starting or switching: no response, or one that says so. */
  readonly isUnavailable: boolean;
}

class ServingObserver {
  readonly #agent: AgentClient;
  readonly #target: CheckTarget;
  readonly #giveUpMs: number | undefined;
  readonly #startedAt: number;
  #logged = "";
  /** The server's version in the last response. */
  version: string | undefined;
  last: Seen = { id: undefined, what: text``, isUnavailable: true };
  /** The last response that showed a revision. */
  #shown: Seen | undefined;

  /** `giveUpMs`: for how long to retry a server that never showed a revision; undefined: until the end. */
  constructor(agent: AgentClient, target: CheckTarget, giveUpMs: number | undefined) {
    this.#agent = agent;
    this.#target = target;
    this.#giveUpMs = giveUpMs;
    this.#startedAt = target.job.clock.now();
  }

  /** `not shown` ends a check that is not required. Undefined: another attempt may find out. */
  async attempt(responseMs: number): Promise<Finding | "not shown" | undefined> {
    await this.#request(responseMs);
    // The load balancer may still route to the previous revision.
    if (this.#isOurs(this.last)) await this.#request(responseMs);
    if (this.#isOurs(this.last)) return { passed: true, finding: text`revision ${id(this.#ownId)} responds` };
    if (this.#isNeverShown) return "not shown";
    this.#report();
    return (await this.#isReplaced()) ? this.#superseded() : undefined;
  }

  get #ownId(): string {
    return this.#target.ours.revisionId;
  }

  #isOurs({ id: shownId }: Seen): boolean {
    return shownId !== undefined && isSameId(shownId, this.#ownId);
  }

  get #isNeverShown(): boolean {
    if (this.#giveUpMs === undefined || this.#shown !== undefined) return false;
    return !this.last.isUnavailable || this.#target.job.clock.now() - this.#startedAt >= this.#giveUpMs;
  }

  async #isReplaced(): Promise<boolean> {
    const { job, ours, revision } = this.#target;
    const { id: shownId } = this.last;
    return shownId !== undefined && (await isNewerRevision(job, ours, shownId, revision)) === true;
  }

  async #request(timeoutMs: number): Promise<void> {
    this.last = await this.#readInfo(timeoutMs);
    if (this.last.id !== undefined) this.#shown = this.last;
  }

  async #readInfo(timeoutMs: number): Promise<Seen> {
    const send = () => this.#agent.send({ method: "GET", path, timeoutMs });
    const result = await toResult(send, this.#target.job.cancelled);
    if ("error" in result) {
      return { id: undefined, what: withoutFullStop(result.error.text), isUnavailable: true };
    }
    const { status, text: body } = result.value;
    this.version = isSuccessful(status) ? reportedVersion(body) : undefined;
    const shownIds = reportedRevisions(body);
    const otherId = shownIds.find((one) => !isSameId(one, this.#ownId));
    // An error may show that another revision responds, but not that this run's works.
    const shownId = otherId ?? (isSuccessful(status) ? shownIds[0] : undefined);
    if (shownId === undefined) {
      const isUnavailable = status === 408 || status === 429 || status >= 500;
      const what = text`${code(`GET ${path}`)} returned ${status} without ${field}`;
      return { id: undefined, what, isUnavailable };
    }
    // The agent may report any text, in which short secrets are redacted too.
    const shown = /^[\w-]+$/.test(shownId) ? id(shownId) : code(shownId);
    return { id: shownId, what: text`revision ${shown} responds`, isUnavailable: false };
  }

  #report(): void {
    const { report } = this.#target.job;
    const { what } = this.last;
    if (rawText(what) !== this.#logged)
      report.info(text`Revision ${id(this.#ownId)} does not respond yet: ${what}. Retrying.`);
    this.#logged = rawText(what);
    report.activity(text`still waiting for the revision to respond: ${what}`);
  }

  #superseded(): Finding {
    return {
      passed: false,
      finding: text`the newer ${this.last.what} in place of ${id(this.#ownId)}`,
      isSuperseded: true,
    };
  }

  /** The time is up. */
  notServing(timeoutMs: number): Finding {
    const { last } = this;
    const shown = this.#shown;
    const before = shown === undefined || shown === last ? undefined : text`; before that, ${shown.what}`;
    const other = last.id === undefined || this.#isOurs(last) ? undefined : text`, not ${id(this.#ownId)}`;
    return {
      passed: false,
      finding: text`after ${code(formatDuration(timeoutMs))}, ${last.what}${other}${before}`,
      hint:
        shown === undefined
          ? text`Check that the agent server reports ${field} at ${code(path)}, and ${input("agent_headers")} if it needs a key. ${code("serving_check: auto")} accepts a server that does not report it.`
          : text`Check the deployment on the platform. ${input("health_check_timeout_seconds")} gives the switch to the new revision more time.`,
      evidence: {
        request: text`${code(`GET ${path}`)}`,
        expected: [text`${field}: ${id(this.#ownId)}, twice in a row`],
        received: [text`${last.what}${before}`],
      },
    };
  }
}

const HostSchema = v.fallback(v.looseObject({ host_revision_id: v.pipe(v.string(), v.nonEmpty()) }), {
  host_revision_id: "",
});
const InfoSchema = v.looseObject({ host: HostSchema, metadata: HostSchema });

/**
 * Reports the version of the agent server before this run's revision, if a serving check is to be made. It is optional:
 * nothing is retried, and nothing fails for it. @throws the reason of a cancellation
 */
export async function readVersionBefore(job: DeployJob, { url }: Deployment): Promise<void> {
  const { checks, wait } = job.options;
  if (!wait || checks.serving === "off") return;
  const agent = connectAgent(url, checks, job.cancelled);
  if (!(agent instanceof AgentClient)) return;
  const timeoutMs = Math.min(maxUnavailableMs, checks.timeoutMs);
  const read = await toResult(() => agent.send({ method: "GET", path, timeoutMs }), job.cancelled);
  if ("error" in read || !isSuccessful(read.value.status)) return;
  const version = reportedVersion(read.value.text);
  if (version !== undefined) job.report.serverVersionBefore(version);
}

const VersionSchema = v.looseObject({ version: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) });

function reportedVersion(body: string): string | undefined {
  const parsed = v.safeParse(VersionSchema, parseJson(body));
  return parsed.success ? parsed.output.version : undefined;
}

/** The control plane's revisions that the text of `/info` names: usually one, maybe in both places. */
function reportedRevisions(body: string): string[] {
  const parsed = v.safeParse(InfoSchema, parseJson(body));
  if (!parsed.success) return [];
  const { host, metadata } = parsed.output;
  return [host, metadata].map(({ host_revision_id: one }) => one).filter((one) => one !== "");
}
