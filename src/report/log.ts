import type { Context } from "../context.ts";
import { kindOfStatus } from "../platform/status.ts";
import { type Ending, succeeded } from "../progress/ending.ts";
import type { Facts, SeenStatus } from "../progress/facts.ts";
import type { Reporter } from "../progress/progress.ts";
import { formatDuration } from "../text/duration.ts";
import { aboveFindings, annotationsOf } from "./findings.ts";
import { formatProgressBar } from "./progress-bar.ts";

const signOfLifeMs = 60_000;

/** Tells the log what is found, each change of status with the time since the write, and a sign of life each minute. */
export function logReporter(context: Context): Reporter {
  const { log, clock } = context;
  let told: string | undefined;
  let stopSigns = () => {};
  return {
    onStart(facts) {
      stopSigns = clock.every(signOfLifeMs, () => log.info(signOfLife(facts(), clock.now())));
    },
    onDeployment(facts) {
      if (told === facts.deploymentId) return;
      told = facts.deploymentId;
      log.info(describeDeployment(facts));
    },
    onRevision(facts) {
      const usual =
        facts.typicalMs === undefined ? "" : ` It usually takes ${formatDuration(facts.typicalMs)}.`;
      log.info(`This run's revision is ${facts.revisionId}.${usual}`);
    },
    onStatus(facts) {
      log.info(`[${formatElapsed(facts, clock.now())}] ${facts.statuses.at(-1)?.status}`);
    },
    onEnd(_facts, ending) {
      stopSigns();
      logEnding(context, ending);
    },
  };
}

/** What is only known by its id may not have been looked up: a deletion needs no more. */
function describeDeployment({ created, name, deploymentId }: Facts): string {
  if (name === undefined) return `The deployment's id is ${deploymentId}.`;
  return `${created ? "Created" : "Found"} deployment ${name} (id ${deploymentId}).`;
}

/** How long ago the write was, or, where there is none, the start. `now`: milliseconds since the epoch. */
export function formatElapsed({ writtenAt, startedAt }: Facts, now: number): string {
  return formatDuration(now - (writtenAt ?? startedAt));
}

function signOfLife(facts: Facts, now: number): string {
  return `[${formatElapsed(facts, now)}] ${describeState(facts, now)}`;
}

function describeState(facts: Facts, now: number): string {
  const current = facts.statuses.at(-1);
  if (facts.stage !== undefined) return facts.stage;
  if (current !== undefined) return describeStatus(current, facts, now);
  return facts.revisionId === undefined ? "still at work" : "still waiting for the revision to be shown";
}

function describeStatus({ status, at }: SeenStatus, { typicalMs, writtenAt }: Facts, now: number): string {
  if (typicalMs === undefined || writtenAt === undefined || kindOfStatus(status) !== "pending")
    return `still ${status}, for ${formatDuration(now - at)}`;
  return formatProgressBar(status, now - writtenAt, typicalMs);
}

/** The last words: an annotation where it ended badly, one each where there are several findings (contract, 3.4). */
export function logEnding(context: Pick<Context, "log">, ending: Ending): void {
  const { log } = context;
  const text = ending.hint === undefined ? ending.message : `${ending.message} ${ending.hint}`;
  if (succeeded(ending.outcome)) {
    log.info(text);
    return;
  }
  const annotations = annotationsOf(ending);
  for (const annotation of annotations.length === 0 ? [text] : annotations) log.error(annotation);
  if (annotations.length > 0 && aboveFindings(ending) === ending.message) log.info(text);
}
