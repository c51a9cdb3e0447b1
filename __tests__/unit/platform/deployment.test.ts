import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { DeploymentSchema, isBeingDeleted } from "../../../src/platform/deployment.ts";
import { RevisionSchema } from "../../../src/platform/revision.ts";
import { deploymentOf, revisionOf } from "../support/wire.ts";

const queued = { raw: "QUEUED", kind: "pending", isKnown: true };

test.each<[string, object, object]>([
  ["nothing but an id", {}, { id: "d", hasShownLive: false }],
  [
    "everything, and more",
    {
      name: "agent",
      status: "READY",
      created_at: "2026-03-02T09:00:00Z",
      source: "github",
      latest_revision_id: "r2",
      active_revision_id: null,
      url: "https://x.example",
      source_config: {
        repo_url: "https://github.com/a/b",
        integration_id: "i",
        deployment_type: "dev",
        build_on_push: true,
        custom_url: "https://y.example",
        listener_id: "l",
        listener_config: { k8s_namespace: "agents" },
        more: 1,
      },
      secrets: [{ name: "A", value: "1" }, { name: "B" }],
      more: {},
    },
    {
      id: "d",
      name: "agent",
      status: "READY",
      sourceKind: "github",
      latestRevisionId: "r2",
      hasShownLive: false,
      url: "https://x.example",
      repoUrl: "https://github.com/a/b",
      integrationId: "i",
      deploymentType: "dev",
      listenerId: "l",
      k8sNamespace: "agents",
      secretNames: ["A", "B"],
    },
  ],
  [
    "fields of unexpected types, which count as absent",
    { name: 7, status: {}, url: [], latest_revision_id: 1, active_revision_id: 2, source_config: "x" },
    { id: "d", hasShownLive: false },
  ],
])("a deployment may show %s", (_what, wire, expected) => {
  expect(deploymentOf(wire)).toEqual(expected);
});

test.each([
  {},
  { id: "" },
  { id: 7 },
  { id: "d 1" },
  { id: "d\n" },
  { id: "." },
  { id: ".." },
  [],
  null,
  "d",
])("%j is no deployment", (wire) => {
  expect(v.is(DeploymentSchema, wire)).toBe(false);
});

test.each<[object, string | undefined]>([
  [{ url: "https://a.example/x//" }, "https://a.example/x"],
  [{ url: "xhttps://a.example" }, undefined],
  [{ url: "https-x://a.example" }, undefined],
  [{ url: "https://a.example", source_config: { custom_url: "https://b.example" } }, "https://a.example"],
  [{ url: null, source_config: { custom_url: "https://b.example" } }, "https://b.example"],
  [{ source_config: { custom_url: "http://b.example" } }, "http://b.example"],
  [{ url: "javascript:alert(1)", source_config: { custom_url: "https://b.example" } }, "https://b.example"],
  [{ url: "https://a.example/x/?token=1" }, "https://a.example/x"],
  [{ url: "https://a.example?token=1" }, "https://a.example"],
  [{ url: "https://a.example/#token" }, "https://a.example"],
  [{ url: "https://me:pass@a.example:8443/x?token=1#y" }, "https://a.example:8443/x"],
  [{ url: "https://token@a.example" }, "https://a.example"],
  [{ url: "not a URL" }, undefined],
  [{ url: "https://a b.example" }, undefined],
  [{ url: "https://a.example/\u200b" }, "https://a.example/%E2%80%8B"],
  [{ url: "" }, undefined],
  [{ url: "ftp://a.example" }, undefined],
  [{ source_config: null }, undefined],
])("the URL of a deployment that shows %j is %p", (wire, url) => {
  expect(deploymentOf(wire).url).toBe(url);
});

test.each([
  ["AWAITING_DELETE", true],
  ["AWAITING_FINAL_DELETE", true],
  ["awaiting_delete", true],
  ["READY", false],
  [undefined, false],
])("a deployment with status %p is being deleted: %p", (status, expected) => {
  expect(isBeingDeleted(deploymentOf({ status }))).toBe(expected);
});

const commit = "0123456789abcdef0123456789abcdef01234567";

test.each<[string, object, object]>([
  ["nothing but id and status", {}, { id: "r", status: queued }],
  [
    "what it deploys, and when",
    {
      created_at: "2026-03-02T09:00:00Z",
      updated_at: "2026-03-02T10:00:00Z",
      status_message: "fine",
      source_revision_config: {
        repo_ref: "main",
        app_config_path: null,
        image_uri: "i:1",
        source_tarball_path: "t/1",
        repo_commit_sha: commit,
      },
    },
    {
      id: "r",
      status: queued,
      createdAt: "2026-03-02T09:00:00Z",
      updatedAt: "2026-03-02T10:00:00Z",
      statusMessage: "fine",
      content: {
        ...{ repoRef: "main", appConfigPath: undefined, imageUri: "i:1", tarballPath: "t/1" },
        commitSha: commit,
      },
    },
  ],
  [
    "fields of unexpected types, which count as absent",
    { source_revision_config: null, created_at: 7 },
    { id: "r", status: queued },
  ],
])("a revision may show %s", (_what, wire, expected) => {
  expect(revisionOf(wire)).toEqual(expected);
});

test.each([
  [commit, commit],
  ["a".repeat(64), "a".repeat(64)],
  [commit.slice(1), undefined],
  [commit.slice(0, 7), undefined],
  [`${commit}0`, undefined],
  [`${commit}\n`, undefined],
  ["$(id)`x`;rm -rf", undefined],
  ["main", undefined],
])("the commit of a revision that shows %j is %p", (shown, expected) => {
  expect(revisionOf({ source_revision_config: { repo_commit_sha: shown } }).content?.commitSha).toBe(
    expected,
  );
});

test.each([
  ["r1", "r1"],
  ["a/b:c=d", "a/b:c=d"],
  ["", undefined],
  ["r 1", undefined],
  ["r1\n::error::x", undefined],
  ["r1\u200b", undefined],
  ["r1\u0000", undefined],
])("a deployment that shows %j as the id of its revisions has the ids %p", (shown, expected) => {
  const { latestRevisionId, activeRevisionId } = deploymentOf({
    latest_revision_id: shown,
    active_revision_id: shown,
  });

  expect([latestRevisionId, activeRevisionId]).toEqual([expected, expected]);
});

test.each([{ id: "r", status: 1 }, { status: "QUEUED" }, { id: "r\n1", status: "QUEUED" }])(
  "%j is no revision",
  (wire) => {
    expect(v.is(RevisionSchema, wire)).toBe(false);
  },
);

test.each(["app_config_path", "langgraph_config_path"])(
  "a revision shows the path of its configuration file as %s",
  (name) => {
    const { content: source } = revisionOf({ source_revision_config: { [name]: "a.json" } });

    expect(source?.appConfigPath).toBe("a.json");
  },
);
