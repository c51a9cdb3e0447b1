import { planDeployment } from "../../../src/deployment/plan.ts";
import { requestDigest } from "../../../src/deployment/request-digest.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { readWorkflowRun } from "../../../src/inputs/workflow-run.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { pushToMain } from "../../support/scenario.ts";
import { canaries, givenSecrets } from "../canaries.ts";
import type { Given, Stage } from "../scenario.ts";

/** The repository that previews are of. */
export const repository = { files: { "app/config.json": "{}" } };
const repositoryInputs = { integration_id: "integration-1", app_config_path: "app/config.json" };

/** The pull request, and the run that its event starts. */
const number = 7;
export const runId = "4711";

function previewOf(pullRequest: number): string {
  return `octo-repo-pr-${pullRequest}`;
}

/** What a run for an event of the pull request, as it is now, is given. */
export function eventOf({ github }: Stage, action: string): Given {
  const { event, env } = github().pullRequestRun(number, action);
  const refs = { GITHUB_REF: `refs/pull/${number}/merge`, GITHUB_HEAD_REF: `feature-${number}` };
  return { inputs: repositoryInputs, event, env: { ...env, ...refs, GITHUB_RUN_ID: runId } };
}

/** Opens a pull request. */
export function open({ github }: Stage, opened = number): void {
  github().pullRequests.open({ number: opened });
}

/** Closes the pull request, unmerged. */
export function close({ github }: Stage): void {
  github().pullRequests.change(number, { state: "closed" });
}

/** Opens a pull request that an earlier run deployed, recorded and commented on. */
export async function openWithPreview(
  stage: Stage,
  { opened = number, ofRun = "1", passSeconds = 60 } = {},
): Promise<{ revisionId: string }> {
  open(stage, opened);
  const branch = `feature-${opened}`;
  const source = { repo_ref: branch, app_config_path: "app/config.json", image_uri: null };
  const preview = previewOf(opened);
  const deployed = await stage.existing(preview, { source_revision_config: source }, passSeconds);
  const { records, allComments } = stage.github();
  const record = records.add(
    {
      ref: `refs/pull/${opened}/head`,
      task: `preview:${preview}`,
      environment: "Preview",
      auto_merge: false,
      required_contexts: [],
      transient_environment: true,
      production_environment: false,
      payload: {
        deployment_id: deployed.id,
        revision_id: deployed.revisionId,
        name: preview,
        pull_request: opened,
        run_id: ofRun,
        request_digest: digestOf(opened, stage),
      },
    },
    actionsLogin,
  );
  records.addStatus(record.id, { state: "success", auto_inactive: false }, actionsLogin);
  allComments.add(opened, `<!-- deploy-agent-server preview:${preview} -->\nearlier`, actionsLogin);
  return deployed;
}

/** Of what the step of a pull request's event sends: an attempt with another one makes a revision of its own. */
function digestOf(opened: number, { emulator }: Stage): string {
  const head = { GITHUB_EVENT_NAME: "pull_request", GITHUB_HEAD_REF: `feature-${opened}` };
  const given = {
    ...repositoryInputs,
    control_plane_url: emulator.url,
    workspace_id: emulator.workspaceId,
    api_key: canaries.apiKey,
    secrets: givenSecrets,
  };
  const inputs = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const { desired, controlPlane } = readDeployInputs(new InputReader(Object.fromEntries(inputs)));
  const target = { kind: "name", name: previewOf(opened) } as const;
  const run = readWorkflowRun(recordingContext({ ...pushToMain, ...head }));
  return requestDigest(planDeployment(target, desired, run, controlPlane.platform).plan, controlPlane);
}

/** Leaves record and comment as a step of this run does that is killed; answers with what it kept for `post:`. */
export function leaveUnsettled({ github }: Stage): Record<string, string> {
  const { records, allComments, deployments, comments } = github();
  const [record] = deployments();
  const [comment] = comments(number);
  if (record === undefined || comment === undefined) throw new Error("There is nothing to settle");
  records.addStatus(record.id, { state: "in_progress" }, actionsLogin);
  const run = `https://github.com/octo-org/octo-repo/actions/runs/${runId}`;
  allComments.change(comment, `| Status | ⏳ started |\n| Log | [run ${runId}](<${run}>) |`);
  return { STATE_record_id: String(record.id), STATE_comment_id: String(comment.id) };
}
