import { type Context, withControlPlane } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import { makePlan } from "../deploy/plan/plan.ts";
import { lookUpByName } from "../deployments/look-up-deployment.ts";
import { Failure, type SuccessEnding } from "../errors.ts";
import { listRecordsOrWarn } from "../github/deployment-records.ts";
import { missingInput } from "../input-problem.ts";
import { readControlPlane, readTarget } from "../inputs/read-control-plane.ts";
import { readDeployInputs } from "../inputs/read-deploy-inputs.ts";
import { connectGitHub, readRecordInputs } from "../inputs/read-github-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { nameOrIdOf, reportedNamesOf } from "../platform/target.ts";
import { code, inputName, phrase, text } from "../text/message.ts";
import { isClosedUnmerged, isOfFork, unlessOfFork, type WorkflowRun } from "../workflow-run.ts";
import { announcePlan, packIfPlanned } from "./prepare-deploy.ts";

/** The root action: creates or updates a deployment, and waits for this run's revision. */
export async function deployAction(context: Context): Promise<SuccessEnding> {
  const { workflow, report } = context;
  if (isClosedUnmerged(workflow)) throw closedUnmergedFailure();
  const reader = new InputReader(context.env);
  const { given, settings, options } = readDeployInputs(reader, readControlPlane(reader), "fail");
  rejectForEvent(reader, workflow);
  const target = readTarget(reader);
  report.set(reportedNamesOf(target));
  const record = readRecordInputs(reader, target);
  if (options.onlyIfChanged && record === undefined) {
    reader.reject(
      "only_if_changed",
      phrase`needs ${inputName("environment")}: the record on GitHub shows what is live`,
      { hint: text`Set ${inputName("environment")}, for example to ${code("production")}.` },
    );
  }
  const plan = makePlan(reader, target, given, settings.platform, workflow);
  reader.finish(report);

  announcePlan(plan, report);
  const platformContext = withControlPlane(context, settings, options.timeoutMs);
  await using archive = await packIfPlanned(platformContext, plan, options);
  const github = connectGitHub(reader, context);
  const records = await listRecordsOrWarn(github, record, report);
  const lookUp = () => lookUpByName(platformContext, nameOrIdOf(target), inputName("deployment_id"));
  return await deploy({ ...platformContext, plan, options, archive, github, record, records, lookUp });
}

function closedUnmergedFailure(): Failure {
  return new Failure(text`The pull request was closed without a merge, so there is nothing to deploy.`, {
    hint: text`To deploy only what was merged, add ${code("if: github.event.action != 'closed' || github.event.pull_request.merged")} to the job. To delete a preview, use the preview action.`,
  });
}

/** Rejects an upload that the event must not deploy, and says why a key is missing. */
function rejectForEvent(reader: InputReader, workflow: WorkflowRun): void {
  if (workflow.event === "pull_request_target" && reader.optional("source_path") !== undefined) {
    reader.reject(
      "source_path",
      phrase`must not be set on ${code("pull_request_target")}: that event gives the repository's secrets to the files of a fork`,
      { hint: text`Start the workflow with ${code("on: pull_request")} or ${code("on: push")}.` },
    );
  }
  if (isOfFork(workflow) && reader.optional("api_key") === undefined) {
    const hint = text`The pull request comes from a fork, whose runs get no secrets. Skip them with ${code(unlessOfFork)}, or deploy ${code("on: push")}.`;
    reader.addProblem({ ...missingInput("api_key"), hint });
  }
}
