// Lists of revisions, their commits, why they failed, and the queue they wait in (platform-field-notes, Fields).
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { call, complaints, statusOf } from "../support/client.ts";
import {
  create,
  createRequest,
  deployRef,
  imageRequest,
  readRevision,
  statuses,
  withLangsmith,
} from "../support/langsmith.ts";

const PageSchema = v.strictObject({
  resources: v.array(v.looseObject({ id: v.string(), status: v.string() })),
  offset: v.number(),
});

test("revisions have pages as deployments do, the newest first", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id, latest } = await create(emulator);
    const ids = [latest];
    for (let count = 0; count < 44; count += 1) ids.unshift(await deployRef(emulator, id, `ref-${count}`));
    const page = async (query: string) => {
      const { body } = await call(emulator, `GET /v2/deployments/${id}/revisions${query}`);
      const { resources, offset } = v.parse(PageSchema, body);
      return { ids: resources.map((one) => one.id), offset };
    };

    expect(await page("")).toEqual({ ids: ids.slice(0, 20), offset: 20 });
    expect(await page("?limit=20&offset=40")).toEqual({ ids: ids.slice(40), offset: 45 });
    expect(await page("?offset=45")).toEqual({ ids: [], offset: 45 });
    expect(await page("?limit=100")).toEqual({ ids, offset: 45 });
    for (const query of ["limit=0", "limit=101", "limit=all"]) {
      const answer = await call(emulator, `GET /v2/deployments/${id}/revisions?${query}`);
      expect(complaints(answer)).toEqual(["query.limit"]);
    }
  }));

test("revisions can be asked for by status", () =>
  withLangsmith({ failRefs: { broken: "BUILD_FAILED" } }, async ({ emulator, pass }) => {
    const { id, latest: first } = await create(emulator);
    const broken = await deployRef(emulator, id, "broken");
    const second = await deployRef(emulator, id, "main");
    pass(60);
    const having = async (status: string) => {
      const { body } = await call(emulator, `GET /v2/deployments/${id}/revisions?status=${status}`);
      return v.parse(PageSchema, body).resources.map((one) => one.id);
    };
    expect(await having("DEPLOYED")).toEqual([second, first]);
    expect(await having("BUILD_FAILED,DEPLOYED")).toEqual([second, broken, first]);
    expect(await having("QUEUED")).toEqual([]);
  }));

test("a ref has one commit until it is moved, and a revision keeps the one it was made of", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id, latest: first } = await create(emulator);
    const commit = async (revisionId: string) =>
      (await readRevision(emulator, id, revisionId)).source_revision_config.repo_commit_sha;
    const before = await commit(first);
    expect(before).toMatch(/^[0-9a-f]{40}$/);
    expect(await commit(await deployRef(emulator, id, "main"))).toBe(before);
    expect(await commit(await deployRef(emulator, id, "other"))).not.toBe(before);

    emulator.setCommit("main", "f".repeat(40));
    expect(await commit(await deployRef(emulator, id, "main"))).toBe("f".repeat(40));
    expect(await commit(first)).toBe(before);
  }));

test("an image has no commit", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id, latest } = await create(emulator, imageRequest());
    expect((await readRevision(emulator, id, latest)).source_revision_config.repo_commit_sha).toBeNull();
  }));

test.each(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED", "OTHERWISE_FAILED"])(
  "a revision that ends as %s says why, and not before",
  (status) =>
    withLangsmith({ failRefs: { main: status } }, async ({ emulator, pass }) => {
      const { id, latest } = await create(emulator);
      expect((await readRevision(emulator, id, latest)).status_message).toBeNull();
      pass(60);
      expect(await readRevision(emulator, id, latest)).toMatchObject({
        status,
        status_message: expect.stringMatching(/^The .+\.$/),
      });
    }),
);

test("a rule can say why", () =>
  withLangsmith({}, async ({ emulator }) => {
    emulator.misbehave({
      kind: "statuses",
      sequence: [{ status: "BUILD_FAILED", message: "No matching distribution." }],
    });
    const { id, latest } = await create(emulator);
    expect((await readRevision(emulator, id, latest)).status_message).toBe("No matching distribution.");
  }));

test("revisions wait for each other", () =>
  withLangsmith({ failRefs: { broken: "BUILD_FAILED" } }, async ({ emulator, pass }) => {
    const { id } = await create(emulator);
    pass(1);
    await deployRef(emulator, id, "broken");
    const third = await deployRef(emulator, id, "main");
    const seen: string[] = [];
    for (let second = 1; second <= 13; second += 1) {
      seen.push(`${second}: ${(await statuses(emulator, id)).join(" ")}`);
      pass(1);
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
      "13: DEPLOYED BUILD_FAILED DEPLOYED",
    ]);
    expect(await readRevision(emulator, id, third)).toMatchObject({
      created_at: "2026-03-02T09:00:01.000Z",
      updated_at: "2026-03-02T09:00:12.000Z",
    });
  }));

test("a stuck revision holds all that come later, and no other deployment's", () =>
  withLangsmith({ failRefs: { stuck: "BUILDING" } }, async ({ emulator, pass }) => {
    const { id } = await create(emulator);
    await deployRef(emulator, id, "stuck");
    await deployRef(emulator, id, "main");
    const other = await create(emulator, createRequest({ name: "other" }));
    pass(3600);
    await deployRef(emulator, id, "main");
    pass(3600);
    expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "BUILDING", "QUEUED", "QUEUED"]);
    expect(await statusOf(emulator, other.id, other.latest)).toBe("DEPLOYED");
  }));

test("a revision whose life has no QUEUED waits all the same, unless it comes to nothing before its turn", () =>
  withLangsmith(
    { statusSeconds: 0, failRefs: { stuck: "UNKNOWN", void: "CREATE_FAILED" } },
    async ({ emulator, pass }) => {
      const { id } = await create(emulator, createRequest());
      for (const ref of ["main", "stuck", "void", "main"]) await deployRef(emulator, id, ref);
      const seen = await statuses(emulator, id);
      expect(seen).toEqual(["DEPLOYED", "DEPLOYED", "UNKNOWN", "CREATE_FAILED", "QUEUED"]);
      pass(3600);
      expect(await statuses(emulator, id)).toEqual(seen);
    },
  ));

test("with a rule a revision that fails to deploy takes the place of the live one", () =>
  withLangsmith({ failRefs: { broken: "DEPLOY_FAILED" } }, async ({ emulator, pass }) => {
    const { id, latest: first } = await create(emulator);
    pass(6);
    const broken = await deployRef(emulator, id, "broken");
    const active = async () => (await call(emulator, `GET /v2/deployments/${id}`)).body;
    pass(5);
    const takeBack = emulator.misbehave({ kind: "failed_takes_over" });
    expect(await active()).toMatchObject({ active_revision_id: first });
    pass(1);
    expect(await active()).toMatchObject({ active_revision_id: broken });
    takeBack();
    expect(await active()).toMatchObject({ active_revision_id: first });
  }));
