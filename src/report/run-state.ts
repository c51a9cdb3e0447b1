import type { CheckedOutCommit, CheckResult, FailureLog, PlatformSite, RunEvent } from "../events.ts";
import type { Status } from "../platform/status.ts";
import type { Redactor } from "../text/redact.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";

/** A status and when it was first seen, in milliseconds since the epoch. */
export interface SeenStatus {
  readonly status: Status;
  readonly at: number;
}

/** What is known of a run, for reporters alone. Times are milliseconds since the epoch. */
export interface RunState {
  readonly startedAt: number;
  /** What the user calls the deployment: its name, or its id. */
  readonly title: string;
  readonly name: string | undefined;
  /** What is deployed: a ref or an image. */
  readonly source: string | undefined;
  /** What a dry run would send, as JSON without secrets. */
  readonly request: string | undefined;
  readonly site: PlatformSite | undefined;
  /** Of the archive that is uploaded. */
  readonly sourceDigest: string | undefined;
  /** What is checked out where an upload comes from. */
  readonly sourceCommit: CheckedOutCommit | undefined;
  readonly deploymentId: string | undefined;
  /** The workspace that the platform says the deployment belongs to. */
  readonly tenantId: string | undefined;
  readonly created: boolean;
  readonly url: string | undefined;
  /** When the create or update was sent. */
  readonly writtenAt: number | undefined;
  /** When the watching and the checks ended. */
  readonly endedAt: number | undefined;
  readonly revisionId: string | undefined;
  /** The revision that was live before this run's. */
  readonly previousRevisionId: string | undefined;
  /** Whether an earlier attempt or step of this run started the revision. */
  readonly isResumed: boolean;
  /** How long such a revision usually takes to be deployed, in milliseconds. */
  readonly typicalMs: number | undefined;
  readonly statuses: readonly SeenStatus[];
  readonly statusMessage: string | undefined;
  /** The commit that the platform says it built. */
  readonly commitSha: string | undefined;
  readonly failureLog: FailureLog | undefined;
  /** The check in progress, such as `health check`. */
  readonly runningCheck: string | undefined;
  /** The checks that have ended, in order. */
  readonly checks: readonly CheckResult[];
  /** What the rollback action is to make live again. */
  readonly rollbackTarget: string | undefined;
  readonly rolledBackTo: string | undefined;
  readonly stage: string | undefined;
  readonly leftover: string | undefined;
  /** The deployments that this run deleted, by title. */
  readonly deleted: readonly string[];
  readonly interruptSkipped: boolean;
}

/** The revision's status as last seen. */
export function lastStatus({ statuses }: RunState): Status | undefined {
  return statuses.at(-1)?.status;
}

export function initialState(startedAt: number): RunState {
  return {
    startedAt,
    title: "",
    name: undefined,
    source: undefined,
    request: undefined,
    site: undefined,
    sourceDigest: undefined,
    sourceCommit: undefined,
    deploymentId: undefined,
    tenantId: undefined,
    created: false,
    url: undefined,
    writtenAt: undefined,
    endedAt: undefined,
    revisionId: undefined,
    previousRevisionId: undefined,
    isResumed: false,
    typicalMs: undefined,
    statuses: [],
    statusMessage: undefined,
    commitSha: undefined,
    failureLog: undefined,
    runningCheck: undefined,
    checks: [],
    rollbackTarget: undefined,
    rolledBackTo: undefined,
    stage: undefined,
    leftover: undefined,
    deleted: [],
    interruptSkipped: false,
  };
}

/** The state after an event. */
export function nextState(state: RunState, event: RunEvent): RunState {
  return { ...state, ...changes(state, event) };
}

function changes(state: RunState, event: RunEvent): Partial<RunState> {
  switch (event.kind) {
    case "planned":
      return { title: event.title, name: event.name, source: event.source, site: event.site };
    case "request_prepared":
      return { request: event.request };
    case "source_packed":
      return { sourceDigest: event.digest, sourceCommit: event.commit };
    case "deployment_identified":
      return { deploymentId: event.deploymentId };
    case "deployment_seen": {
      const { id, tenantId = state.tenantId, name = state.name, url = state.url } = event.deployment;
      return { deploymentId: id, tenantId, name, url, created: event.created ?? state.created };
    }
    case "previous_revision_seen":
      return { previousRevisionId: event.revisionId };
    case "write_sent":
      return { writtenAt: event.at };
    case "write_rejected":
      return { writtenAt: undefined };
    case "revision_named":
      return { revisionId: event.revisionId };
    case "revision_identified":
      return { revisionId: event.revisionId, typicalMs: event.typicalMs, isResumed: event.isResumed };
    case "revision_read":
      return { commitSha: event.commitSha, statusMessage: event.statusMessage };
    case "status_changed":
      return { statuses: [...state.statuses, { status: event.status, at: event.at }] };
    case "failure_log_read":
      return { failureLog: event.failureLog };
    case "check_changed":
      return { runningCheck: event.label };
    case "check_ended":
      return { checks: [...state.checks, event.result] };
    case "rollback_planned":
      return { rollbackTarget: event.revisionId };
    case "rolled_back":
      return { rolledBackTo: event.revisionId };
    case "watching_ended":
      return { endedAt: event.at };
    case "deployment_deleted":
      return { deleted: [...state.deleted, event.title], leftover: undefined };
    case "stage_changed":
      return { stage: event.stage };
    case "leftover_changed":
      return { leftover: event.leftover };
    case "interrupt_skipped":
      return { interruptSkipped: true };
  }
}

/** In characters. No id, status or sentence needs more, and GitHub drops a summary of more than 1 MiB. */
const maxLength = 3000;

/** Removes the run's secrets from what the platform said, and cuts it; what the user or this action said stays. */
export function stateRedactor(redact: Redactor): (state: RunState) => RunState {
  const text = memoized((one) => cut(redact.text(one)));
  const value = memoized((one) => cut(redact.value(one)));
  // Each field stands here, so that the compiler asks of a new one what it may hold.
  return (state) => ({
    startedAt: state.startedAt,
    title: state.title,
    name: state.name && value(state.name),
    source: state.source,
    request: state.request && text(state.request),
    site: state.site,
    sourceDigest: state.sourceDigest,
    sourceCommit: state.sourceCommit,
    deploymentId: state.deploymentId && value(state.deploymentId),
    tenantId: state.tenantId && value(state.tenantId),
    created: state.created,
    url: state.url && value(state.url),
    writtenAt: state.writtenAt,
    endedAt: state.endedAt,
    revisionId: state.revisionId && value(state.revisionId),
    previousRevisionId: state.previousRevisionId && value(state.previousRevisionId),
    isResumed: state.isResumed,
    typicalMs: state.typicalMs,
    statuses: state.statuses.map(({ status, at }) => ({ status: { ...status, raw: text(status.raw) }, at })),
    statusMessage: state.statusMessage && text(state.statusMessage),
    commitSha: state.commitSha && value(state.commitSha),
    failureLog: state.failureLog && { ...state.failureLog, lines: state.failureLog.lines.map(text) },
    runningCheck: state.runningCheck && text(state.runningCheck),
    checks: state.checks.map((result) => redactedCheck(result, text)),
    rollbackTarget: state.rollbackTarget && value(state.rollbackTarget),
    rolledBackTo: state.rolledBackTo && value(state.rolledBackTo),
    stage: state.stage && text(state.stage),
    leftover: state.leftover && text(state.leftover),
    deleted: state.deleted.map(text),
    interruptSkipped: state.interruptSkipped,
  });
}

function redactedCheck(result: CheckResult, text: (one: string) => string): CheckResult {
  const { name, message, evidence } = result;
  return {
    ...result,
    name: text(name),
    message: text(message),
    ...(evidence && {
      evidence: {
        request: text(evidence.request),
        expected: evidence.expected.map(text),
        received: evidence.received.map(text),
      },
    }),
  };
}

export function cut(text: string): string {
  return text.length <= maxLength ? text : sanitizeExcerpt(text, maxLength);
}

/** The state is redacted at every event, with the same texts again and again. */
function memoized(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const changed = known.get(text) ?? change(text);
    known.set(text, changed);
    return changed;
  };
}
