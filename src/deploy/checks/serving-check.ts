import * as v from "valibot";
import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import { formatDuration } from "../../text/format.ts";
import { isSameId } from "../../text/ids.ts";
import { parseJson } from "../../text/json.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { AgentClient } from "./agent-client.ts";
import { type Check, type CheckSubject, type Finding, unreachableFinding } from "./check.ts";
import { pollAgent } from "./poll-agent.ts";

const path = "/info";
/** In characters: how much of an id is searched for secrets, far more than is shown. */
const maxRedactedLength = 50_000;

/**
 * Requests `/info` until the agent says twice in a row that this run's revision responds
 * (docs/specification.md#serving-check). No check with `serving_check: off`.
 */
export function servingCheck(inputs: CheckInputs): Check[] {
  if (inputs.serving === "off") return [];
  return [
    { kind: "serving check", name: path, run: (subject, context) => checkServing(subject, inputs, context) },
  ];
}

async function checkServing(
  subject: CheckSubject,
  { serving, timeoutMs }: CheckInputs,
  context: RunContext,
): Promise<Finding | undefined> {
  const { agent, revisionId } = subject;
  const isRequired = serving === "require";
  if (!(agent instanceof AgentClient)) {
    return isRequired ? unreachableFinding(agent, path, "serving_check: require") : undefined;
  }
  const giveUpMs = isRequired ? undefined : Math.min(maxUnavailableMs, timeoutMs);
  const observer = new ServingObserver(agent, subject, giveUpMs, context);
  const result = await pollAgent(timeoutMs, (responseMs) => observer.attempt(responseMs), context);
  if (result !== "not shown")
    return result ?? notServing(revisionId, observer.seen, formatDuration(timeoutMs));
  context.log.info(`The serving check was skipped: ${observer.seen.last.text}.`);
  return undefined;
}

/**
 * For how long `auto` retries a server that may only be starting, in milliseconds: longer than a switch of servers usually
 * takes, but bearable for a deployment that this runner can't reach.
 */
const maxUnavailableMs = 10_000;

/** What one response of `/info` shows. `text`: for people; redacted and sanitized. */
interface Seen {
  /** The revision that responded; undefined if it is not shown. */
  readonly id: string | undefined;
  readonly text: string;
  /** Whether the server may only be starting or switching: no response, or one that says so. */
  readonly isUnavailable: boolean;
}

/** `shown`: the last response that showed a revision. */
interface SeenSoFar {
  readonly last: Seen;
  readonly shown: Seen | undefined;
}

class ServingObserver {
  readonly #agent: AgentClient;
  readonly #subject: CheckSubject;
  readonly #giveUpMs: number | undefined;
  readonly #context: RunContext;
  readonly #startedAt: number;
  #logged = "";
  seen: SeenSoFar = { last: { id: undefined, text: "", isUnavailable: true }, shown: undefined };

  /** `giveUpMs`: for how long to retry a server that never showed a revision; undefined: until the end. */
  constructor(agent: AgentClient, subject: CheckSubject, giveUpMs: number | undefined, context: RunContext) {
    this.#agent = agent;
    this.#subject = subject;
    this.#giveUpMs = giveUpMs;
    this.#context = context;
    this.#startedAt = context.clock.now();
  }

  /** `not shown` ends a check that is not required. Undefined: another attempt may find out. */
  async attempt(responseMs: number): Promise<Finding | "not shown" | undefined> {
    const { revisionId, isNewer } = this.#subject;
    let seen = await this.#request(responseMs);
    // A load balancer may still know the server of the revision before.
    if (isRevision(seen, revisionId)) seen = await this.#request(responseMs);
    if (isRevision(seen, revisionId)) return { passed: true, what: `revision ${revisionId} responds` };
    if (this.#isNeverShown) return "not shown";
    await this.#report(seen);
    const isSuperseded = seen.id !== undefined && (await isNewer(seen.id)) === true;
    return isSuperseded ? superseded(seen, revisionId) : undefined;
  }

  get #isNeverShown(): boolean {
    const { last, shown } = this.seen;
    if (this.#giveUpMs === undefined || shown !== undefined) return false;
    return !last.isUnavailable || this.#context.clock.now() - this.#startedAt >= this.#giveUpMs;
  }

  async #request(timeoutMs: number): Promise<Seen> {
    const last = await this.#readInfo(timeoutMs);
    this.seen = { last, shown: last.id === undefined ? this.seen.shown : last };
    return last;
  }

  async #readInfo(timeoutMs: number): Promise<Seen> {
    const { cancelled, redact } = this.#context;
    const timeoutInput = "health_check_timeout_seconds";
    const info = { method: "GET", path, timeoutMs, timeoutInput } as const;
    const result = await bestEffort(() => this.#agent.send(info), cancelled);
    if ("error" in result) {
      return { id: undefined, text: result.error.message.replace(/\.$/, ""), isUnavailable: true };
    }
    const { status, text } = result.value;
    const id = status >= 200 && status < 300 ? reportedRevision(text) : undefined;
    if (id === undefined) {
      const isUnavailable = status === 408 || status === 429 || status >= 500;
      return { id, text: `GET ${path} returned ${status} without host.host_revision_id`, isUnavailable };
    }
    const shownId = sanitizeExcerpt(redact.text(id.slice(0, maxRedactedLength)), 100);
    return { id, text: `revision ${shownId} responds`, isUnavailable: false };
  }

  async #report({ text }: Seen): Promise<void> {
    const { emit, log } = this.#context;
    const { revisionId } = this.#subject;
    if (text !== this.#logged) log.info(`Revision ${revisionId} does not respond yet: ${text}. Retrying.`);
    this.#logged = text;
    await emit({ kind: "stage_changed", stage: `still waiting for the revision to respond: ${text}` });
  }
}

function isRevision({ id }: Seen, revisionId: string): boolean {
  return id !== undefined && isSameId(id, revisionId);
}

const HostSchema = v.looseObject({ host_revision_id: v.pipe(v.string(), v.nonEmpty()) });
const InfoSchema = v.union([
  v.pipe(
    v.looseObject({ host: HostSchema }),
    v.transform(({ host }) => host.host_revision_id),
  ),
  v.pipe(
    v.looseObject({ metadata: HostSchema }),
    v.transform(({ metadata }) => metadata.host_revision_id),
  ),
]);

/** The control plane's revision that the text of `/info` names; undefined if it names none. */
export function reportedRevision(text: string): string | undefined {
  const parsed = v.safeParse(InfoSchema, parseJson(text));
  return parsed.success ? parsed.output : undefined;
}

function superseded({ text }: Seen, revisionId: string): Finding {
  return {
    passed: false,
    what: `the newer ${text} in place of ${revisionId}.`,
    hint: "Nothing to do if the newer revision is the one you want. A concurrency group in the workflow keeps runs from overtaking each other.",
    isSuperseded: true,
  };
}

function notServing(revisionId: string, { last, shown }: SeenSoFar, waited: string): Finding {
  const before = shown === undefined || shown === last ? "" : `; before that, ${shown.text}`;
  const isOther = last.id !== undefined && !isRevision(last, revisionId);
  return {
    passed: false,
    what: `after ${waited}, ${last.text}${isOther ? `, not ${revisionId}` : ""}${before}.`,
    hint: shown
      ? "Check the deployment on the platform. health_check_timeout_seconds gives the switch to the new revision more time."
      : "Check that the agent server shows host.host_revision_id at /info, and agent_headers if it needs a key. serving_check: auto accepts a server that does not show it.",
    evidence: {
      request: `GET ${path}`,
      expected: [`host.host_revision_id: ${revisionId}, twice in a row`],
      received: [`${last.text}${before}`],
    },
  };
}
