import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { type Given, on, type Scenario, type Stage, type Target } from "../scenario.ts";
import { remove } from "./delete.ts";

const number = 7;
const name = "octo-repo-pr-7";
const runId = "4711";
/** What stands in it. */
export const repository = { files: { "app/config.json": "{}" } };
const repositoryInputs = { integration_id: "integration-1", app_config_path: "app/config.json" };

/** What a run for an event of the pull request is given. */
function pullRequestEvent({ github }: Stage, action: string): Given {
  const { event, env } = github().pullRequestRun(number, action);
  const refs = { GITHUB_REF: `refs/pull/${number}/merge`, GITHUB_HEAD_REF: `feature-${number}` };
  return { inputs: repositoryInputs, event, env: { ...env, ...refs, GITHUB_RUN_ID: runId } };
}

/** A preview that an earlier run deployed and recorded. */
export async function recordPreview(
  { github, existing }: Stage,
  preview: { name: string; number: number; runId?: string; passSeconds?: number },
): Promise<{ id: string; revisionId: string }> {
  const branch = `feature-${preview.number}`;
  const deployed = await existing(
    preview.name,
    { source_revision_config: { repo_ref: branch, app_config_path: "app/config.json", image_uri: null } },
    preview.passSeconds,
  );
  const { records, allComments } = github();
  const record = records.add(
    {
      ref: `refs/pull/${preview.number}/head`,
      task: `preview:${preview.name}`,
      environment: "Preview",
      auto_merge: false,
      required_contexts: [],
      transient_environment: true,
      production_environment: false,
      payload: {
        deployment_id: deployed.id,
        revision_id: deployed.revisionId,
        name: preview.name,
        pull_request: preview.number,
        run_id: preview.runId ?? "1",
        source: branch,
        created: true,
      },
    },
    actionsLogin,
  );
  records.addStatus(record.id, { state: "success", auto_inactive: false }, actionsLogin);
  const marker = `<!-- deploy-agent-server preview:${preview.name} -->`;
  allComments.add(preview.number, `${marker}\nearlier`, actionsLogin);
  return deployed;
}

function fromGitHub(method: string, path: RegExp, target: Partial<Target> & { name: string }): Target {
  return { server: "GitHub", role: "tolerated", route: on(method, path), ...target };
}

const viewer = fromGitHub("POST", /^\/graphql$/, { name: "viewer", idless: true });
const records = fromGitHub("GET", /\/deployments$/, { name: "records" });
const makeRecord = fromGitHub("POST", /\/deployments$/, { name: "POST record", writes: true });
const readStatuses = fromGitHub("GET", /\/statuses$/, { name: "statuses of a record", idless: true });
const makeStatus = fromGitHub("POST", /\/statuses$/, { name: "POST status", idless: true, writes: true });
const comments = fromGitHub("GET", /\/issues\/7\/comments$/, { name: "comments" });
const makeComment = fromGitHub("POST", /\/comments$/, { name: "POST comment", writes: true });
const changeComment = fromGitHub("PATCH", /\/comments\/\d+$/, {
  name: "PATCH comment",
  idless: true,
  writes: true,
});
const pullRequest = fromGitHub("GET", /\/pulls\/7$/, { name: "pull request", idless: true });
const recorded: Target = {
  name: "recorded deployment",
  server: "platform",
  role: "recorded",
  route: on("GET", /^\/v2\/deployments\/[^/]+$/),
};

/** The preview action for each kind of event, and its `post:` step. */
export const previewScenarios: readonly Scenario[] = [
  {
    name: "preview, opened",
    action: "preview",
    healthy: "deployed",
    github: repository,
    setUp: async (stage) => {
      stage.github().pullRequests.open({ number });
      return pullRequestEvent(stage, "opened");
    },
    targets: [
      fromGitHub("GET", /\/contents\/app/, { name: "configuration file", role: "preflight", idless: true }),
      viewer,
      { ...records, idless: true },
      {
        name: "list after the create",
        server: "platform",
        role: "look for twins",
        route: on("GET", /^\/v2\/deployments$/),
        from: 2,
      },
      makeRecord,
      makeStatus,
      { ...comments, idless: true },
      makeComment,
      changeComment,
      pullRequest,
    ],
  },
  {
    name: "preview, opened without its file",
    action: "preview",
    healthy: "failed",
    github: { files: { "README.md": "" } },
    setUp: async (stage) => {
      stage.github().pullRequests.open({ number });
      return pullRequestEvent(stage, "opened");
    },
    targets: [
      fromGitHub("GET", /\/git\/ref\//, { name: "ref", role: "preflight: ref", idless: true }),
      fromGitHub("GET", /\/contents\/?$/, { name: "root", role: "preflight: root", idless: true }),
    ],
  },
  {
    name: "preview, pushed",
    action: "preview",
    healthy: "deployed",
    github: repository,
    setUp: async (stage) => {
      stage.github().pullRequests.open({ number });
      await recordPreview(stage, { name, number });
      return pullRequestEvent(stage, "synchronize");
    },
    targets: [
      { ...recorded, role: "recorded, to update" },
      { ...records, name: "records with one of its own" },
      readStatuses,
      { ...comments, name: "comments with one of its own" },
    ],
  },
  {
    name: "preview, run again",
    action: "preview",
    healthy: "deployed",
    github: repository,
    setUp: async (stage) => {
      stage.github().pullRequests.open({ number });
      const { revisionId } = await recordPreview(stage, { name, number, runId, passSeconds: 1 });
      return { ...pullRequestEvent(stage, "opened"), ownRevision: revisionId };
    },
    targets: [
      {
        name: "revision to resume",
        server: "platform",
        role: "resumed",
        route: on("GET", /\/revisions\/[^/]+$/),
      },
      { name: "revisions before it", server: "platform", role: "read", route: on("GET", /\/revisions$/) },
    ],
  },
  {
    name: "preview, closed",
    action: "preview",
    healthy: "deleted",
    github: repository,
    setUp: async (stage) => {
      stage.github().pullRequests.open({ number });
      await recordPreview(stage, { name, number });
      stage.github().pullRequests.change(number, { state: "closed" });
      return pullRequestEvent(stage, "closed");
    },
    targets: [viewer, records, { ...recorded }, remove, readStatuses, makeStatus, comments, changeComment],
  },
  {
    name: "preview, closed meanwhile",
    action: "preview",
    healthy: "deleted",
    github: repository,
    setUp: async (stage) => {
      stage.github().pullRequests.open({ number });
      const given = pullRequestEvent(stage, "opened");
      stage.github().pullRequests.change(number, { state: "closed" });
      return given;
    },
    targets: [
      { ...pullRequest, name: "pull request after the write", role: "is it closed" },
      { ...remove, name: "DELETE of what was made", role: "delete, tried again" },
    ],
  },
  {
    name: "preview, post: of a killed step",
    action: "preview",
    phase: "post",
    healthy: "done",
    github: repository,
    setUp: async (stage) => {
      stage.github().pullRequests.open({ number });
      await recordPreview(stage, { name, number });
      const github = stage.github();
      const [record] = github.deployments();
      const [comment] = github.comments(number);
      if (record === undefined || comment === undefined) throw new Error("There is nothing to settle");
      github.records.addStatus(record.id, { state: "in_progress" }, actionsLogin);
      const run = `https://github.com/octo-org/octo-repo/actions/runs/${runId}`;
      github.allComments.change(comment, `| Status | ⏳ started |\n| Log | [run ${runId}](<${run}>) |`);
      const { env, ...given } = pullRequestEvent(stage, "opened");
      const state = { STATE_record_id: String(record.id), STATE_comment_id: String(comment.id) };
      return { ...given, env: { ...env, ...state } };
    },
    targets: [
      readStatuses,
      makeStatus,
      fromGitHub("GET", /\/comments\/\d+$/, { name: "comment" }),
      changeComment,
    ],
  },
];
