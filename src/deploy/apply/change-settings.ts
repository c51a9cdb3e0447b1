import { toResult } from "../../errors.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { mayHaveTakenEffect } from "../../platform/error-kinds.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import { describeWork } from "../../report/sentences/unfinished-work.ts";
import { code, listed, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { UnconfirmedWriteError } from "./unconfirmed-write.ts";

/**
 * Sends the settings that make no revision.
 *
 * @throws UnconfirmedWriteError, the request's error if it surely had no effect, and the reason of a cancellation.
 */
export async function changeSettings(
  job: DeployJob,
  { id }: Deployment,
  settings: UpdateRequest,
): Promise<void> {
  const { controlPlane, report, cancelled } = job;
  const changed = { deploymentId: id, names: Object.keys(settings.source_config ?? {}) };
  const work = { kind: "settings", ...changed } as const;
  const what = text`the change of ${listed(changed.names.map((name) => code(name)))} of ${code(id)}`;
  const remains = describeWork(work);
  const sendSettings = async () => {
    try {
      await controlPlane.updateDeployment(id, settings);
    } catch (cause) {
      cancelled.throwIfAborted();
      if (!mayHaveTakenEffect(cause)) throw cause;
      throw new UnconfirmedWriteError({ what, remains, cause }, text`It was not sent again.`);
    }
  };
  // An error says itself what may have been changed; a cancellation is thrown and leaves it to the report.
  const result = await report.whileUnfinished(work, () => toResult(sendSettings, cancelled));
  if ("error" in result) throw result.error;
  report.settingsChanged(changed);
}
