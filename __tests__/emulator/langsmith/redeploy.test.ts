// Deploying a revision again, and stopping one (platform-field-notes, "Endpoints beyond platform-api").
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { call, deploymentIn, statusOf, type Target } from "../support/client.ts";
import { create, deployRef, detailOf, readRevision, statuses, withLangsmith } from "../support/langsmith.ts";
import { withTemporaryFolder } from "../support/temporary-folder.ts";

function post(target: Target, id: string, revisionId: string, operation: string) {
  return call(target, `POST /v2/deployments/${id}/revisions/${revisionId}/${operation}`);
}

test("a redeployed revision is a new one of the same source, not built again, and the active one in the end", () =>
  withLangsmith({}, async ({ emulator, pass }) => {
    const { id, latest: first } = await create(emulator);
    await deployRef(emulator, id, "next");
    pass(60);
    emulator.setCommit("main", "f".repeat(40));

    const answer = await post(emulator, id, first, "redeploy");
    const { latest: third } = deploymentIn(answer);
    const { source_revision_config } = await readRevision(emulator, id, first);
    expect(answer).toMatchObject({ status: 200, body: { id, source_revision_config } });
    expect(await readRevision(emulator, id, third)).toMatchObject({
      source_revision_config,
      status: "CREATING",
    });
    const seen = [];
    for (let second = 0; second < 4; second += 1) {
      seen.push(await statusOf(emulator, id, third));
      pass(1);
    }
    expect(seen).toEqual(["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING"]);
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toMatchObject({
      latest_revision_id: third,
      active_revision_id: third,
      source_revision_config,
    });
    expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "DEPLOYED", "DEPLOYED"]);
  }));

test("what ran once runs again although its ref fails now; what never ran fails again", () =>
  withLangsmith({ failRefs: { broken: "BUILD_FAILED" } }, async ({ emulator, pass }) => {
    const { id, latest: first } = await create(emulator);
    const broken = await deployRef(emulator, id, "broken");
    pass(60);
    emulator.misbehave({ kind: "statuses", sequence: [{ status: "DEPLOY_FAILED" }] });
    await deployRef(emulator, id, "main");
    await post(emulator, id, first, "redeploy");
    pass(60);
    expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "BUILD_FAILED", "DEPLOY_FAILED", "DEPLOYED"]);
    await post(emulator, id, broken, "redeploy");
    pass(60);
    expect((await statuses(emulator, id)).at(-1)).toBe("BUILD_FAILED");
  }));

test("a rule gives redeployed revisions a life of their own", () =>
  withLangsmith({}, async ({ emulator, pass }) => {
    emulator.misbehave({ kind: "statuses", redeployed: true, sequence: [{ status: "DEPLOY_FAILED" }] });
    const { id, latest } = await create(emulator);
    pass(60);
    await post(emulator, id, latest, "redeploy");
    expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "DEPLOY_FAILED"]);
  }));

test("a redeployed revision waits in the queue like any other", () =>
  withLangsmith({ failRefs: { stuck: "BUILDING" } }, async ({ emulator, pass }) => {
    const { id, latest } = await create(emulator);
    pass(60);
    await deployRef(emulator, id, "stuck");
    await post(emulator, id, latest, "redeploy");
    pass(60);
    expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "BUILDING", "QUEUED"]);
  }));

test("the next update starts from what was redeployed", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id, latest: first } = await create(emulator);
    await deployRef(emulator, id, "next");
    await post(emulator, id, first, "redeploy");
    const { body } = await call(emulator, `PATCH /v2/deployments/${id}`, { secrets: [] });
    expect(body).toMatchObject({ source_revision_config: { repo_ref: "main" } });
  }));

test("a deployment that is being deleted isn't redeployed", () =>
  withLangsmith({ misbehave: [{ kind: "slow_delete", seconds: 10 }] }, async ({ emulator }) => {
    const { id, latest } = await create(emulator);
    await call(emulator, `DELETE /v2/deployments/${id}`);
    expect((await post(emulator, id, latest, "redeploy")).status).toBe(409);
  }));

test.each(["interrupt", "interruption"])(
  "%s ends a stuck revision, and the next one has its turn",
  (operation) =>
    withLangsmith({ failRefs: { stuck: "BUILDING" } }, async ({ emulator, pass }) => {
      const { id } = await create(emulator);
      pass(60);
      const stuck = await deployRef(emulator, id, "stuck");
      await deployRef(emulator, id, "main");
      pass(60);
      const answer = await post(emulator, id, stuck, operation);
      expect(answer).toMatchObject({
        status: 200,
        body: { id: stuck, status: "INTERRUPTED", updated_at: "2026-03-02T09:02:00.000Z" },
      });
      expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "INTERRUPTED", "AWAITING_BUILD"]);
      pass(4);
      expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "INTERRUPTED", "DEPLOYED"]);
    }),
);

test("one that waits can be interrupted, too, and stays so when its turn would have come", () =>
  withLangsmith({}, async ({ emulator, pass }) => {
    const { id } = await create(emulator);
    const second = await deployRef(emulator, id, "next");
    pass(3);
    expect((await post(emulator, id, second, "interrupt")).status).toBe(200);
    expect(await statuses(emulator, id)).toEqual(["BUILDING", "INTERRUPTED"]);
    pass(60);
    expect(await statuses(emulator, id)).toEqual(["DEPLOYED", "INTERRUPTED"]);
  }));

test("a restart forgets neither what was interrupted nor who waits nor what was redeployed", () =>
  withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    const ids: string[] = [];
    await withLangsmith({ dataFile, failRefs: { stuck: "BUILDING" } }, async ({ emulator, pass }) => {
      const { id, latest } = await create(emulator);
      ids.push(id);
      pass(60);
      const stuck = await deployRef(emulator, id, "stuck");
      await post(emulator, id, latest, "redeploy");
      await deployRef(emulator, id, "stuck");
      await deployRef(emulator, id, "main");
      pass(60);
      await post(emulator, id, stuck, "interrupt");
    });
    const [id = ""] = ids;
    await withLangsmith({ dataFile }, async ({ emulator, pass }) => {
      pass(180);
      expect(await statuses(emulator, id)).toEqual([
        "DEPLOYED",
        "INTERRUPTED",
        "DEPLOYED",
        "BUILDING",
        "QUEUED",
      ]);
    });
  }));

test("one that has ended can't be interrupted", () =>
  withLangsmith({ statusSeconds: 0 }, async ({ emulator }) => {
    const { id, latest } = await create(emulator);
    const answer = await post(emulator, id, latest, "interrupt");
    expect({ status: answer.status, detail: detailOf(answer) }).toEqual({
      status: 400,
      detail: expect.stringContaining("is DEPLOYED"),
    });
  }));

test("a rule takes one of the two names away", () =>
  withLangsmith({}, async ({ emulator }) => {
    emulator.misbehave({
      kind: "answer",
      match: { path: "/interrupt$", times: "always" },
      status: 404,
      body: { detail: "Not Found" },
    });
    const { id, latest } = await create(emulator);
    expect((await post(emulator, id, latest, "interrupt")).status).toBe(404);
    expect((await post(emulator, id, latest, "interruption")).status).toBe(200);
  }));
