import type { LogReader, LogType } from "../../../platform/logs.ts";
import type { RevisionJob } from "../../job.ts";
import type { RunRevision } from "../../make/run-revision.ts";

/** The log is not worth a longer wait for a request. */
const maxRequestMs = 5000;

/** Returns the reader of a log; undefined if the platform has none. */
export function openLog(
  job: RevisionJob,
  { deploymentId, revisionId }: Pick<RunRevision, "deploymentId" | "revisionId">,
  type: LogType,
): LogReader | undefined {
  const { api } = job.controlPlane.withoutRetries({ maxRequestMs });
  return job.settings.platform.openLog?.(api, { deploymentId, revisionId, type });
}
