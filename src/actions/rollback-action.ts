import type { Context } from "../context.ts";
import { rollback } from "../deploy/rollback/rollback.ts";
import { requireDeployment } from "../deployments/look-up-deployment.ts";
import type { SuccessEnding } from "../errors.ts";
import { recordTask } from "../github/deployment-records.ts";
import { connectGitHub } from "../github/github-client.ts";
import { recordWriter } from "../github/record-writer.ts";
import { readTarget } from "../inputs/read-control-plane.ts";
import { readRecordInputs } from "../inputs/read-github-inputs.ts";
import { readRollbackInputs } from "../inputs/read-rollback-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { consolePageOf } from "../platform/control-plane-settings.ts";
import { namesOf, shownNameOf } from "../platform/target.ts";
import { platformJob } from "../platform-job.ts";
import { RevisionReport } from "../report/revision-report.ts";
import { headSha } from "../workflow-run.ts";

/** The rollback action: makes an earlier revision of a deployment the live one again. */
export async function rollbackAction(context: Context): Promise<SuccessEnding> {
  const { report } = context;
  const reader = new InputReader(context.env);
  const inputs = readRollbackInputs(reader, context.workflow);
  const recordInputs = readRecordInputs(reader);
  const target = readTarget(reader);
  reader.finish(report);

  const { settings } = inputs;
  report.set({ ...namesOf(target), consolePage: consolePageOf(settings) });
  const job = {
    ...platformJob(context, settings, inputs.options.timeoutMs),
    watched: new RevisionReport("revision", context),
    options: { ...inputs.options, buildLog: "failure", interruptOnCancel: false } as const,
  };
  const deployment = await requireDeployment(job, target);
  const github = connectGitHub(inputs.githubToken, settings.requestTimeoutMs, job);
  if (github !== undefined && recordInputs !== undefined) {
    const task = recordTask("deploy", shownNameOf(target));
    const recordSettings = { ...recordInputs, task, ref: headSha(job.workflow) };
    const recordTarget = { settings: recordSettings, controlPlaneDigest: job.controlPlane.digest };
    report.addListener(recordWriter(recordTarget, github, job));
  }
  return await rollback(job, deployment.id, inputs.revisionId);
}
