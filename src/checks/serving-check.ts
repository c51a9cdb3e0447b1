import * as v from "valibot";
import { bestEffort } from "../errors.ts";
import type { RunContext } from "../events.ts";
import type { CheckInputs } from "../inputs/checks.ts";
import { isSameId } from "../platform/routes.ts";
import { formatDuration } from "../text/format.ts";
import { parseJson } from "../text/json.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
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
  const isRequired = serving === "require";
  const { agent, revisionId } = subject;
  if (!(agent instanceof AgentClient)) {
    return isRequired ? unreachableFinding(agent, path, "serving_check: require") : undefined;
  }
  const observer = new ServingObserver(agent, subject, isRequired, context);
  const result = await pollAgent(timeoutMs, (responseMs) => observer.attempt(responseMs), context);
  const endsUnreported = result === undefined && !isRequired && observer.lastSeen.id === undefined;
  if (result === "not reported" || endsUnreported) return undefined;
  return result ?? notServing(revisionId, observer.lastSeen, formatDuration(timeoutMs));
}

/** What `/info` reports of the revision that responded. `text`: for people; redacted and sanitized. */
interface Seen {
  /** Undefined if it is not reported. */
  readonly id: string | undefined;
  readonly text: string;
}

class ServingObserver {
  readonly #agent: AgentClient;
  readonly #subject: CheckSubject;
  readonly #isRequired: boolean;
  readonly #context: RunContext;
  #wasReported = false;
  lastSeen: Seen = { id: undefined, text: "" };

  constructor(agent: AgentClient, subject: CheckSubject, isRequired: boolean, context: RunContext) {
    this.#agent = agent;
    this.#subject = subject;
    this.#isRequired = isRequired;
    this.#context = context;
  }

  /** `not reported` ends a check that is not required. Undefined: another attempt may find out. */
  async attempt(responseMs: number): Promise<Finding | "not reported" | undefined> {
    const { revisionId, isNewer } = this.#subject;
    let seen = await this.#request(responseMs);
    // A load balancer may still know the server of the revision before.
    if (isRevision(seen, revisionId)) seen = await this.#request(responseMs);
    if (isRevision(seen, revisionId)) return { passed: true, what: `revision ${revisionId} responds` };
    if (seen.id === undefined && !this.#isRequired && !this.#wasReported) return "not reported";
    await this.#report(seen);
    const isSuperseded = seen.id !== undefined && (await isNewer(seen.id)) === true;
    return isSuperseded ? superseded(seen, revisionId) : undefined;
  }

  async #request(timeoutMs: number): Promise<Seen> {
    const { cancelled, redact } = this.#context;
    const timeoutInput = "health_check_timeout_seconds";
    const info = { method: "GET", path, timeoutMs, timeoutInput } as const;
    const result = await bestEffort(() => this.#agent.send(info), cancelled);
    if ("error" in result) return { id: undefined, text: result.error.message.replace(/\.$/, "") };
    const { status, text } = result.value;
    const id = status >= 200 && status < 300 ? reportedRevision(text) : undefined;
    if (id === undefined) {
      return { id, text: `GET ${path} returned ${status} without host.host_revision_id` };
    }
    this.#wasReported = true;
    return {
      id,
      text: `revision ${sanitizeExcerpt(redact.text(id.slice(0, maxRedactedLength)), 100)} responds`,
    };
  }

  async #report(seen: Seen): Promise<void> {
    const { emit, log } = this.#context;
    const { revisionId } = this.#subject;
    if (seen.text !== this.lastSeen.text) {
      log.info(`Revision ${revisionId} does not respond yet: ${seen.text}. Retrying.`);
    }
    this.lastSeen = seen;
    await emit({ kind: "stage_changed", stage: `still waiting for the revision to respond: ${seen.text}` });
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

function notServing(revisionId: string, { id, text }: Seen, waited: string): Finding {
  const isReported = id !== undefined;
  return {
    passed: false,
    what: `after ${waited}, ${text}${isReported ? `, not ${revisionId}` : ""}.`,
    hint: isReported
      ? "Check the deployment on the platform. health_check_timeout_seconds gives the switch to the new revision more time."
      : "Check that the agent server shows host.host_revision_id at /info, and agent_headers if it needs a key. serving_check: auto accepts a server that does not show it.",
    evidence: {
      request: `GET ${path}`,
      expected: [`host.host_revision_id: ${revisionId}, twice in a row`],
      received: [text],
    },
  };
}
