import { gitHub, platform } from "../requests.ts";
import type { Scenario } from "../scenario.ts";
import { close, eventOf, leaveUnsettled, open, openWithPreview, repository, runId } from "./pull-request.ts";

const preview = { action: "preview", github: repository } as const;
const tolerated = { role: "tolerated" } as const;

/** The preview action for each kind of event, and its `post:` step. */
export const previewScenarios: readonly Scenario[] = [
  {
    ...preview,
    name: "preview, opened",
    healthy: "deployed",
    setUp: async (stage) => {
      open(stage);
      return eventOf(stage, "opened");
    },
    targets: [
      { ...gitHub.file, name: "configuration file", role: "preflight" },
      { ...gitHub.viewer, ...tolerated, name: "viewer" },
      { ...gitHub.records, ...tolerated, name: "records", idless: true },
      { ...platform.list, name: "list after the create", role: "look for twins", from: 2 },
      { ...gitHub.makeRecord, ...tolerated, name: "POST record" },
      { ...gitHub.makeStatus, ...tolerated, name: "POST status" },
      { ...gitHub.comments, ...tolerated, name: "comments", idless: true },
      { ...gitHub.makeComment, ...tolerated, name: "POST comment" },
      { ...gitHub.changeComment, ...tolerated, name: "PATCH comment" },
      { ...gitHub.pullRequest, ...tolerated, name: "pull request" },
    ],
  },
  {
    ...preview,
    name: "preview, opened without its file",
    healthy: "failed",
    github: { files: { "README.md": "" } },
    setUp: async (stage) => {
      open(stage);
      return eventOf(stage, "opened");
    },
    targets: [
      { ...gitHub.ref, name: "ref", role: "preflight: ref" },
      { ...gitHub.root, name: "root", role: "preflight: root" },
    ],
  },
  {
    ...preview,
    name: "preview, pushed",
    healthy: "deployed",
    setUp: async (stage) => {
      await openWithPreview(stage);
      return eventOf(stage, "synchronize");
    },
    targets: [
      { ...platform.deployment, name: "recorded deployment", role: "recorded, to update" },
      { ...gitHub.records, ...tolerated, name: "records with one of its own" },
      { ...gitHub.statuses, ...tolerated, name: "statuses of a record" },
      { ...gitHub.comments, ...tolerated, name: "comments with one of its own" },
    ],
  },
  {
    ...preview,
    name: "preview, run again",
    healthy: "deployed",
    setUp: async (stage) => {
      const { revisionId } = await openWithPreview(stage, { ofRun: runId, passSeconds: 1 });
      return { ...eventOf(stage, "opened"), ownRevision: revisionId };
    },
    targets: [
      { ...platform.revision, name: "revision to resume", role: "resumed" },
      { ...platform.revisions, name: "revisions before it", role: "read" },
    ],
  },
  {
    ...preview,
    name: "preview, closed",
    healthy: "deleted",
    setUp: async (stage) => {
      await openWithPreview(stage);
      close(stage);
      return eventOf(stage, "closed");
    },
    targets: [
      { ...gitHub.viewer, ...tolerated, name: "viewer" },
      { ...gitHub.records, ...tolerated, name: "records" },
      { ...platform.deployment, name: "recorded deployment", role: "recorded" },
      { ...platform.remove, name: "DELETE", role: "delete" },
      { ...gitHub.statuses, ...tolerated, name: "statuses of a record" },
      { ...gitHub.makeStatus, ...tolerated, name: "POST status" },
      { ...gitHub.comments, ...tolerated, name: "comments" },
      { ...gitHub.changeComment, ...tolerated, name: "PATCH comment" },
    ],
  },
  {
    ...preview,
    name: "preview, closed meanwhile",
    healthy: "deleted",
    setUp: async (stage) => {
      open(stage);
      const given = eventOf(stage, "opened");
      close(stage);
      return given;
    },
    targets: [
      { ...gitHub.pullRequest, name: "pull request after the write", role: "is it closed" },
      { ...platform.remove, name: "DELETE of what was made", role: "delete, tried again" },
    ],
  },
  {
    ...preview,
    name: "preview, post: of a killed step",
    phase: "post",
    healthy: "done",
    setUp: async (stage) => {
      await openWithPreview(stage);
      const { env, ...given } = eventOf(stage, "opened");
      return { ...given, env: { ...env, ...leaveUnsettled(stage) } };
    },
    targets: [
      { ...gitHub.statuses, ...tolerated, name: "statuses of a record" },
      { ...gitHub.makeStatus, ...tolerated, name: "POST status" },
      { ...gitHub.comment, ...tolerated, name: "comment" },
      { ...gitHub.changeComment, ...tolerated, name: "PATCH comment" },
    ],
  },
];
