import type { Context } from "../context.ts";
import { rollback } from "../deploy/rollback/rollback.ts";
import { requireDeployment } from "../deployments/look-up-deployment.ts";
import type { SuccessEnding } from "../errors.ts";
import { recordTask } from "../github/deployment-records.ts";
import { connectGitHub } from "../github/github-client.ts";
import { recordRun } from "../github/record-writer.ts";
import { readTarget } from "../inputs/read-control-plane.ts";
import { readRecordInputs } from "../inputs/read-github-inputs.ts";
import { readRollbackInputs } from "../inputs/read-rollback-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { consolePageOf } from "../platform/control-plane-settings.ts";
import { nameOrIdOf, namesOf } from "../platform/target.ts";
import { withControlPlane } from "../platform-context.ts";
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
  const revisionContext = {
    ...withControlPlane(context, settings, inputs.options.timeoutMs),
    revisionReport: new RevisionReport("revision", context),
    options: { ...inputs.options, buildLog: "failure", interruptOnCancel: false } as const,
  };
  const deployment = await requireDeployment(revisionContext, target);
  const github = connectGitHub(inputs.githubToken, settings.requestTimeoutMs, revisionContext);
  if (github !== undefined && recordInputs !== undefined) {
    const task = recordTask("deploy", nameOrIdOf(target));
    const record = { ...recordInputs, task, ref: headSha(context.workflow) };
    recordRun(record, github, revisionContext);
  }
  return await rollback(revisionContext, deployment.id, inputs.revisionId);
}
