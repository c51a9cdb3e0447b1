import { plan } from "../../../src/deploy/plan/plan.ts";
import { requestDigest } from "../../../src/deploy/plan/request-digest.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { pushToMain } from "../../support/scenario.ts";
import type { Setup, StepOptions } from "../scenario.ts";
import { canaries, secretsInput } from "../test-bed.ts";

/** The repository of the previews. */
export const repository = { files: { "app/config.json": "{}" } };
const repositoryInputs = { integration_id: "integration-1", app_config_path: "app/config.json" };

/** The pull request, and the run that its event triggers. */
const number = 7;
export const runId = "4711";

function previewOf(pullRequest: number): string {
  return `octo-repo-7739a-pr-${pullRequest}`;
}

/** The event of a pull request, and the inputs of its run. */
export function eventOf({ github }: Setup, action: string): StepOptions {
  const { event, env } = github().pullRequestRun(number, action);
  const refs = { GITHUB_REF: `refs/pull/${number}/merge`, GITHUB_HEAD_REF: `feature-${number}` };
  return { inputs: repositoryInputs, event, env: { ...env, ...refs, GITHUB_RUN_ID: runId } };
}

/** Opens a pull request. */
export function open({ github }: Setup, opened = number): void {
  github().pullRequests.open({ number: opened });
}

/** Closes the pull request, unmerged. */
export function close({ github }: Setup): void {
  github().pullRequests.change(number, { state: "closed" });
}

/** Opens a pull request that an earlier run deployed, recorded and commented on. */
export async function openWithPreview(
  setup: Setup,
  { opened = number, ofRun = "1", passSeconds = 60 } = {},
): Promise<{ revisionId: string }> {
  open(setup, opened);
  const branch = `feature-${opened}`;
  const source = { repo_ref: branch, app_config_path: "app/config.json", image_uri: null };
  const preview = previewOf(opened);
  const deployed = await setup.existing(preview, { source_revision_config: source }, passSeconds);
  const { records, allComments } = setup.github();
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
        request_digest: digestOf(opened, setup),
      },
    },
    actionsLogin,
  );
  records.addStatus(record.id, { state: "success", auto_inactive: false }, actionsLogin);
  allComments.add(opened, `<!-- deploy-agent-server preview:${preview} -->\nearlier`, actionsLogin);
  return deployed;
}

/** The fingerprint of what the step sends. A later attempt resumes a revision only if it is the same. */
function digestOf(opened: number, { emulator }: Setup): string {
  const head = { GITHUB_EVENT_NAME: "pull_request", GITHUB_HEAD_REF: `feature-${opened}` };
  const inputs = {
    ...repositoryInputs,
    control_plane_url: emulator.url,
    workspace_id: emulator.workspaceId,
    api_key: canaries.apiKey,
    secrets: secretsInput,
  };
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const { desired, controlPlane } = readDeployInputs(new InputReader(Object.fromEntries(variables)));
  const target = { kind: "name", name: previewOf(opened) } as const;
  const run = recordingContext({ ...pushToMain, ...head }).workflow;
  return requestDigest(plan(target, desired, run, controlPlane).plan, controlPlane);
}

/** Leaves record and comment as a killed step of this run does. Returns the state for its post step. */
export function leaveUnfinished({ github }: Setup): Record<string, string> {
  const { records, allComments, deployments, comments } = github();
  const [record] = deployments();
  const [comment] = comments(number);
  if (record === undefined || comment === undefined) throw new Error("There is no record or comment");
  records.addStatus(record.id, { state: "in_progress" }, actionsLogin);
  const run = `https://github.com/octo-org/octo-repo/actions/runs/${runId}`;
  allComments.change(comment, `| Status | ⏳ started |\n| Log | [run ${runId}](<${run}>) |`);
  return { STATE_record_id: String(record.id), STATE_comment_id: String(comment.id) };
}
