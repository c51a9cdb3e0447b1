import type { Context } from "../context.ts";
import { type Ending, endingText, isSuccess } from "../ending.ts";
import type { RunEvent } from "../events.ts";
import { formatDuration } from "../text/format.ts";
import { sanitizeSentence } from "../text/sanitize.ts";
import type { Observer } from "./run-report.ts";
import { lastStatus, type RunState, type SeenStatus } from "./run-state.ts";

const heartbeatMs = 60_000;

/** Logs what is found, each change of status with the time since the write, a heartbeat each minute, and the ending. */
export function logObserver(context: Context): Observer {
  const { log, clock } = context;
  const startedAt = clock.now();
  let state: RunState | undefined;
  let loggedDeployment: string | undefined;
  const stopHeartbeat = clock.every(heartbeatMs, () => {
    const now = clock.now();
    log.info(
      `[${elapsed(state?.writtenAt ?? startedAt, now)}] ${state ? describeState(state, now) : working}`,
    );
  });
  return {
    onEvent(event, current) {
      state = current;
      if (isAboutDeployment(event) && current.deploymentId !== loggedDeployment) {
        loggedDeployment = current.deploymentId;
        log.info(describeDeployment(current));
      }
      const line = describeEvent(event, current, clock.now());
      if (line !== undefined) log.info(line);
    },
    onEnd(_state, ending) {
      stopHeartbeat();
      logEnding(context, ending);
    },
  };
}

const working = "still working";

function isAboutDeployment({ kind }: RunEvent): boolean {
  return kind === "deployment_seen" || kind === "deployment_identified";
}

/** A deployment that is only known by its id was not read. */
function describeDeployment({ created, name, deploymentId }: RunState): string {
  if (name === undefined) return `The deployment's id is ${deploymentId}.`;
  return `${created ? "Created" : "Found"} deployment ${name} (id ${deploymentId}).`;
}

function describeEvent(event: RunEvent, state: RunState, now: number): string | undefined {
  if (event.kind === "revision_identified") {
    const { typicalMs, revisionId } = state;
    const typical = typicalMs === undefined ? "" : ` It usually takes ${formatDuration(typicalMs)}.`;
    return `This run's revision is ${revisionId}.${typical}`;
  }
  if (event.kind !== "status_changed") return undefined;
  return `[${elapsed(state.writtenAt ?? state.startedAt, now)}] ${lastStatus(state)?.raw}`;
}

function elapsed(since: number, now: number): string {
  return formatDuration(now - since);
}

function describeState(state: RunState, now: number): string {
  const current = state.statuses.at(-1);
  if (state.stage !== undefined) return state.stage;
  if (current !== undefined) return describeStatus(current, state, now);
  return state.revisionId === undefined ? working : "still waiting for the revision to become visible";
}

function describeStatus({ status, at }: SeenStatus, { typicalMs, writtenAt }: RunState, now: number): string {
  if (typicalMs === undefined || writtenAt === undefined || status.kind !== "pending") {
    return `still ${status.raw}, for ${formatDuration(now - at)}`;
  }
  return formatProgress(status.raw, now - writtenAt, typicalMs);
}

const barWidth = 10;

/** Such as `██████░░░░ BUILDING, usually done after 3 min 20 s, about 1 min 10 s left`. Times in milliseconds. */
export function formatProgress(status: string, elapsedMs: number, typicalMs: number): string {
  const done = Math.floor(Math.min(1, elapsedMs / typicalMs) * barWidth);
  const bar = "█".repeat(done) + "░".repeat(barWidth - done);
  const typical = formatDuration(typicalMs);
  return elapsedMs < typicalMs
    ? `${bar} ${status}, usually done after ${typical}, about ${formatDuration(typicalMs - elapsedMs)} left`
    : `${bar} ${status}, longer than the usual ${typical}`;
}

/** Logs the ending: an error annotation if it failed, one for each finding if there are several. */
export function logEnding({ log }: Pick<Context, "log">, ending: Ending): void {
  const { outcome, hint, findings = [] } = ending;
  const text = [endingText(ending), hint].filter(Boolean).join(" ");
  if (isSuccess(outcome) || findings.length > 0) log.info(text);
  else log.error(text);
  for (const finding of findings) {
    log.error([sanitizeSentence(finding, maxFindingLength), hint].filter(Boolean).join(" "));
  }
}

/** In characters: GitHub cuts an annotation at 4,096. */
const maxFindingLength = 2000;
