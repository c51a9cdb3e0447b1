import {
  configurationFile,
  locate,
  optional,
  pullRequestAfterWrite,
  read,
  readRecorded,
  refOfMissingFile,
  remove,
  removeAgain,
  rootOfMissingFile,
} from "../expectations.ts";
import { gitHub, platform, type Scenario } from "../scenario.ts";
import { close, eventOf, leaveUnfinished, open, openWithPreview, repository, runId } from "./pull-request.ts";

const preview = { action: "preview", github: repository } as const;

/** The action preview for each kind of event, and its post step. */
export const previewScenarios: readonly Scenario[] = [
  {
    ...preview,
    name: "preview, opened",
    usual: "deployed",
    setUp: async (setup) => {
      open(setup);
      return eventOf(setup, "opened");
    },
    targets: [
      { ...gitHub.file, name: "configuration file", expected: configurationFile },
      { ...gitHub.viewer, name: "viewer", expected: optional },
      { ...gitHub.records, name: "records", expected: optional, optionalId: true },
      { ...gitHub.createRecord, name: "POST record", expected: optional },
      { ...gitHub.createStatus, name: "POST status", expected: optional },
      { ...gitHub.comments, name: "comments", expected: optional, optionalId: true },
      { ...gitHub.createComment, name: "POST comment", expected: optional },
      { ...gitHub.updateComment, name: "PATCH comment", expected: optional },
      { ...gitHub.pullRequest, name: "pull request", expected: optional },
    ],
  },
  {
    ...preview,
    name: "preview, opened without a configuration file",
    usual: "failed",
    github: { files: { "README.md": "" } },
    setUp: async (setup) => {
      open(setup);
      return eventOf(setup, "opened");
    },
    targets: [
      { ...gitHub.ref, name: "ref", expected: refOfMissingFile },
      { ...gitHub.root, name: "root", expected: rootOfMissingFile },
    ],
  },
  {
    ...preview,
    name: "preview, pushed",
    usual: "deployed",
    setUp: async (setup) => {
      await openWithPreview(setup);
      return eventOf(setup, "synchronize");
    },
    targets: [
      { ...platform.deployment, name: "recorded deployment", expected: locate },
      { ...gitHub.records, name: "records with its own", expected: optional },
      { ...gitHub.statuses, name: "statuses of a record", expected: optional },
      { ...gitHub.comments, name: "comments with its own", expected: optional },
    ],
  },
  {
    ...preview,
    name: "preview, second attempt",
    usual: "deployed",
    setUp: async (setup) => {
      const { revisionId } = await openWithPreview(setup, { ofRun: runId, passSeconds: 1 });
      return { ...eventOf(setup, "opened"), ownRevision: revisionId };
    },
    targets: [
      { ...platform.revision, name: "revision to resume", expected: locate },
      { ...platform.revisions, name: "revisions before it", expected: read },
    ],
  },
  {
    ...preview,
    name: "preview, closed",
    usual: "deleted",
    setUp: async (setup) => {
      await openWithPreview(setup);
      close(setup);
      return eventOf(setup, "closed");
    },
    targets: [
      { ...gitHub.viewer, name: "viewer", expected: optional },
      { ...gitHub.records, name: "records", expected: optional },
      { ...platform.deployment, name: "recorded deployment", expected: readRecorded },
      { ...platform.remove, name: "DELETE", expected: remove },
      { ...gitHub.statuses, name: "statuses of a record", expected: optional },
      { ...gitHub.createStatus, name: "POST status", expected: optional },
      { ...gitHub.comments, name: "comments", expected: optional },
      { ...gitHub.updateComment, name: "PATCH comment", expected: optional },
    ],
  },
  {
    ...preview,
    name: "preview, closed during its run",
    usual: "deleted",
    setUp: async (setup) => {
      open(setup);
      const given = eventOf(setup, "opened");
      close(setup);
      return given;
    },
    targets: [
      { ...gitHub.pullRequest, name: "pull request after the write", expected: pullRequestAfterWrite },
      { ...platform.remove, name: "DELETE of the preview", expected: removeAgain },
    ],
  },
  {
    ...preview,
    name: "preview, post step of a killed step",
    phase: "post",
    usual: "done",
    setUp: async (setup) => {
      await openWithPreview(setup);
      const { env, ...given } = eventOf(setup, "opened");
      return { ...given, env: { ...env, ...leaveUnfinished(setup) } };
    },
    targets: [
      { ...gitHub.statuses, name: "statuses of a record", expected: optional },
      { ...gitHub.createStatus, name: "POST status", expected: optional },
      { ...gitHub.comment, name: "comment", expected: optional },
      { ...gitHub.updateComment, name: "PATCH comment", expected: optional },
    ],
  },
];
