import { toError } from "../../errors.ts";
import { code, type Message, text } from "../../text/message.ts";
import { CheckFailure } from "../check/check-revision.ts";
import { findNotLive } from "../check/watch-and-check.ts";
import type { DeployJob } from "../job.ts";
import type { RunRevision } from "../make/run-revision.ts";
import { rollBackOnFailure } from "./rollback-on-failure.ts";

/**
 * What a failed deploy ends with: the failure, with what is live now. `rollback_on_failure` deploys again what was live before
 * a revision that was live and did not pass its checks (docs/specification.md#rollback).
 *
 * @throws the reason of a cancellation
 */
export async function afterFailure(job: DeployJob, ours: RunRevision, thrown: unknown): Promise<Error> {
  if (!(thrown instanceof CheckFailure)) return toError(thrown);
  const notLive = await findNotLive(job, ours, thrown);
  if (notLive !== undefined) {
    return job.options.rollbackOnFailure ? notLive.with(text`Nothing was rolled back.`) : notLive;
  }
  if (!job.options.rollbackOnFailure || !thrown.allowsRollback) {
    return thrown.with(job.isPreview ? previewStaysLive : staysLive(thrown.allowsRollback));
  }
  return await rollBackOnFailure(job, ours, thrown);
}

const previewStaysLive = text`Production is not affected: only the preview runs this revision.`;

function staysLive(allowsRollback: boolean): Message {
  const remedy = text` To roll back, use the rollback action or ${code("rollback_on_failure: true")}.`;
  return text`This revision stays live.${allowsRollback ? remedy : undefined}`;
}
