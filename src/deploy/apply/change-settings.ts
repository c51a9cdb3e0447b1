import { toResult } from "../../errors.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import { describeWork } from "../../report/sentences/unfinished-work.ts";
import { code, listed, type Message, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { contradictedSettings, showsSettings } from "../plan/divide-update.ts";
import { pollForEffect, sendWrite, UnconfirmedWriteError } from "./unconfirmed-write.ts";

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
  const send = () =>
    controlPlane.updateDeployment(id, settings, (deployment) => contradictionIn(settings, deployment));
  const sendAndConfirm = async () => {
    const { unconfirmed } = await sendWrite(job, { what, remains, send });
    if (unconfirmed === undefined) return;
    const readChanged = async () =>
      showsSettings(settings, await controlPlane.withoutRetry().getDeployment(id)) || undefined;
    const isConfirmed = await pollForEffect(job, readChanged, unconfirmed);
    if (isConfirmed === undefined) throw new UnconfirmedWriteError(unconfirmed);
  };
  // An error says itself what may have been changed; a cancellation is thrown and leaves it to the report.
  const result = await report.whileUnfinished(work, () => toResult(sendAndConfirm, cancelled));
  if ("error" in result) throw result.error;
  report.settingsChanged(changed);
}

/** What a deployment shows against a change of its settings, as a part of a sentence; undefined if nothing. */
function contradictionIn(settings: UpdateRequest, deployment: Deployment): Message | undefined {
  const names = contradictedSettings(settings, deployment);
  return names.length === 0
    ? undefined
    : text`it shows a different ${listed(names.map((name) => code(name)))}`;
}
