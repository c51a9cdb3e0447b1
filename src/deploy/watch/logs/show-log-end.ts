import { type Place, toResultOrCancellation } from "../../../errors.ts";
import type { LogType } from "../../../platform/revision-log.ts";
import { maxEndLines } from "../../../report/limits.ts";
import { linesOf } from "../../../text/lines.ts";
import type { RevisionJob } from "../../job.ts";
import type { RunRevision } from "../../make/run-revision.ts";
import { findErrorLine } from "./find-error-line.ts";

/** A log whose end was shown. */
export interface ShownLog {
  readonly type: LogType;
  /** The line that says why the build or deploy failed. */
  readonly errorLine?: string | undefined;
  /** The place in a file of the upload that this line is about. */
  readonly place?: Place | undefined;
}

/** The output of a server arrives in the platform's log with a delay. */
const logDelayMs = 2000;

/** Shows the end of the server's log after a failed check; undefined if there is nothing to show. */
export async function showServerLog(job: RevisionJob, ours: RunRevision): Promise<ShownLog | undefined> {
  if (!showsLogs(job)) return undefined;
  await job.clock.sleep(logDelayMs, job.cancelled);
  return await showLogEnd(job, ours, "deploy");
}

/** Shows the end of a log; undefined if there is nothing to show: it can't be read, is empty or is switched off. */
export async function showLogEnd(
  job: RevisionJob,
  ours: RunRevision,
  type: LogType,
): Promise<ShownLog | undefined> {
  const readPage = showsLogs(job) ? job.controlPlane.openLog({ ...ours, type }) : undefined;
  if (readPage === undefined) return undefined;
  // A page is counted in entries. Some are blank, and others have several lines.
  const maxEntries = 2 * maxEndLines;
  // A cancellation must not replace the failure that the log explains.
  const read = await toResultOrCancellation(() => readPage({ order: "desc", limit: maxEntries }));
  const lines = "value" in read ? linesOf(read.value.messages) : [];
  if (lines.length === 0) return undefined;
  return { type, ...findErrorLine(job.report.showFailureLog({ type, lines }), job.upload) };
}

function showsLogs({ options, settings }: RevisionJob): boolean {
  return options.buildLog !== "off" && settings.platform.openLog !== undefined;
}
