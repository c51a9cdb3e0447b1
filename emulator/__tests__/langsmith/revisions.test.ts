// Lists of revisions, their commits, the reasons of failures, and the queue.
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { call, deployRef, statusOf, violations } from "../support/client.ts";
import { useEmulator, withEmulator } from "../support/emulator.ts";
import { create, imageRequest, onRef, readRevision, statusesOf } from "../support/langsmith.ts";

const failures = ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED", "ODDLY_FAILED"];
const refFor = (status: string) => status.toLowerCase().replace("_", "-");
const failRefs = {
  stuck: "BUILDING",
  ...Object.fromEntries(failures.map((status) => [refFor(status), status])),
};
const emulator = await useEmulator({ platform: "langsmith", failRefs });

const PageSchema = v.strictObject({
  resources: v.array(v.looseObject({ id: v.string(), status: v.string() })),
  offset: v.number(),
});

async function readPage(id: string, query: string) {
  const { body } = await call(emulator, `GET /v2/deployments/${id}/revisions?${query}`);
  const { resources, offset } = v.parse(PageSchema, body);
  return { ids: resources.map((one) => one.id), offset };
}

test("the list of revisions has pages of 20 by default, the newest first", async () => {
  const { id, latest } = await create(emulator);
  const ids = [latest];
  for (let count = 0; count < 24; count += 1) ids.unshift(await deployRef(emulator, id, `ref-${count}`));

  expect(await readPage(id, "")).toEqual({ ids: ids.slice(0, 20), offset: 20 });
  expect(await readPage(id, "limit=10&offset=20")).toEqual({ ids: ids.slice(20), offset: 25 });
  expect(await readPage(id, "limit=100")).toEqual({ ids, offset: 25 });
  const tooMany = await call(emulator, `GET /v2/deployments/${id}/revisions?limit=101`);
  expect(violations(tooMany)).toEqual(["query.limit"]);
});

test("the list of revisions is filtered by status", async () => {
  const { id, latest: first } = await create(emulator);
  const broken = await deployRef(emulator, id, refFor("BUILD_FAILED"));
  const second = await deployRef(emulator, id, "main");
  emulator.pass(60);

  expect((await readPage(id, "status=DEPLOYED")).ids).toEqual([second, first]);
  expect((await readPage(id, "status=BUILD_FAILED,DEPLOYED")).ids).toEqual([second, broken, first]);
  expect((await readPage(id, "status=QUEUED")).ids).toEqual([]);
});

test("a ref has one commit until it is moved, and a revision keeps its own", async () => {
  const { id, latest: first } = await create(emulator);
  const commitOf = async (revisionId: string) =>
    (await readRevision(emulator, id, revisionId)).source_revision_config.repo_commit_sha;
  const before = await commitOf(first);
  expect(before).toMatch(/^[0-9a-f]{40}$/);
  expect(await commitOf(await deployRef(emulator, id, "main"))).toBe(before);
  expect(await commitOf(await deployRef(emulator, id, "other"))).not.toBe(before);

  emulator.setCommit("main", "f".repeat(40));

  expect(await commitOf(await deployRef(emulator, id, "main"))).toBe("f".repeat(40));
  expect(await commitOf(first)).toBe(before);
});

test("an image has no commit", async () => {
  const { id, latest } = await create(emulator, imageRequest());

  expect((await readRevision(emulator, id, latest)).source_revision_config.repo_commit_sha).toBeNull();
});

test.each(failures)("a revision that ends as %s has a reason once it has ended", async (status) => {
  const { id, latest } = await create(emulator, onRef(refFor(status)));
  expect((await readRevision(emulator, id, latest)).status_message).toBeNull();

  emulator.pass(60);

  expect(await readRevision(emulator, id, latest)).toMatchObject({
    status,
    status_message: expect.stringMatching(/^The .+\.$/),
  });
});

test("a revision waits until the one before it has ended", async () => {
  const { id } = await create(emulator);
  emulator.pass(1);
  const createdAt = emulator.time();
  await deployRef(emulator, id, refFor("BUILD_FAILED"));
  const third = await deployRef(emulator, id, "main");
  const seen: string[] = [];
  for (let second = 1; second <= 12; second += 1) {
    seen.push(`${second}: ${(await statusesOf(emulator, id)).join(" ")}`);
    if (second < 12) emulator.pass(1);
  }

  expect(seen).toEqual([
    "1: QUEUED CREATING CREATING",
    "2: AWAITING_BUILD QUEUED QUEUED",
    "3: BUILDING QUEUED QUEUED",
    "4: AWAITING_DEPLOY QUEUED QUEUED",
    "5: DEPLOYING QUEUED QUEUED",
    "6: DEPLOYED AWAITING_BUILD QUEUED",
    "7: DEPLOYED BUILDING QUEUED",
    "8: DEPLOYED BUILD_FAILED AWAITING_BUILD",
    "9: DEPLOYED BUILD_FAILED BUILDING",
    "10: DEPLOYED BUILD_FAILED AWAITING_DEPLOY",
    "11: DEPLOYED BUILD_FAILED DEPLOYING",
    "12: DEPLOYED BUILD_FAILED DEPLOYED",
  ]);
  expect(await readRevision(emulator, id, third)).toMatchObject({
    created_at: createdAt,
    updated_at: emulator.time(),
  });
});

test("a stuck revision holds the later ones of its own deployment", async () => {
  const { id } = await create(emulator);
  await deployRef(emulator, id, "stuck");
  await deployRef(emulator, id, "main");
  const other = await create(emulator);
  emulator.pass(3600);
  await deployRef(emulator, id, "main");
  emulator.pass(3600);

  expect(await statusesOf(emulator, id)).toEqual(["DEPLOYED", "BUILDING", "QUEUED", "QUEUED"]);
  expect(await statusOf(emulator, other.id, other.latest)).toBe("DEPLOYED");
});

test("a revision without pending statuses waits too, unless its creation fails", () =>
  withEmulator(
    { platform: "langsmith", statusSeconds: 0, failRefs: { stuck: "UNKNOWN", void: "CREATE_FAILED" } },
    async (own) => {
      const { id } = await create(own);

      for (const ref of ["main", "stuck", "void", "main"]) await deployRef(own, id, ref);

      expect(await statusesOf(own, id)).toEqual([
        ...["DEPLOYED", "DEPLOYED", "UNKNOWN"],
        ...["CREATE_FAILED", "QUEUED"],
      ]);
    },
  ));

test("a POST makes a revision in any case, and answers it; what is left out is carried over", async () => {
  const { id, latest } = await create(emulator);

  const { status, body } = await call(emulator, `POST /v2/deployments/${id}/revisions`, {
    source_revision_config: {},
  });

  const [deployment] = emulator.deployments().filter((one) => one.id === id);
  const [made, before] = deployment?.revisions ?? [];
  expect(status).toBe(201);
  expect(body).toMatchObject({ id: made?.id, status: "CREATING" });
  expect(before?.id).toBe(latest);
  expect(made?.source_revision_config).toEqual(before?.source_revision_config);
});

test("a POST of a revision has the fields that the vendor documents, and no other", async () => {
  const { id } = await create(emulator);
  const post = (body: object) => call(emulator, `POST /v2/deployments/${id}/revisions`, body);

  const config = {
    build_on_push: true,
    resource_spec: { cpu: 1 },
    deployment_type: "prod",
    listener_id: null,
  };

  expect(violations(await post({ source_config: config, revision_source: "github" }))).toEqual([
    "body.revision_source",
    "body.source_config.deployment_type",
    "body.source_config.listener_id",
  ]);
  expect((await post({ source_revision_config: { repo_ref: "x" }, secrets: [] })).status).toBe(201);
});

test("an image of internal_docker comes after the create, which makes no revision", async () => {
  const request = { ...imageRequest(), source: "internal_docker" };
  const created = await call(emulator, "POST /v2/deployments", request);
  const { id } = v.parse(v.looseObject({ id: v.string() }), created.body);
  expect(created.body).toMatchObject({ latest_revision_id: null });

  const image = { image_uri: "registry.example/agent@sha256:1" };
  const update = { revision_source: "internal_docker", source_revision_config: image };
  const { body } = await call(emulator, `PATCH /v2/deployments/${id}`, update);

  expect(body).toMatchObject({ latest_revision_id: expect.any(String), source_revision_config: image });
});
