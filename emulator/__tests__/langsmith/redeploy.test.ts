// Redeploying and interrupting revisions.
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { call, deployRef, type Target } from "../support/client.ts";
import { START, useEmulator, withEmulator, withTemporaryFolder } from "../support/emulator.ts";
import { create, statusesOf } from "../support/langsmith.ts";

const failRefs = { stuck: "BUILDING", broken: "BUILD_FAILED" };
const emulator = await useEmulator({ platform: "langsmith", failRefs });

function post(target: Target, id: string, revisionId: string, operation: string) {
  return call(target, `POST /v2/deployments/${id}/revisions/${revisionId}/${operation}`);
}

test("a revision that ran runs again although its ref fails now, and one that never ran fails again", async () => {
  const { id, latest: first } = await create(emulator);
  const broken = await deployRef(emulator, id, "broken");
  emulator.pass(60);
  emulator.addFault({ kind: "statuses", sequence: [{ status: "DEPLOY_FAILED" }] });
  await deployRef(emulator, id, "main");

  await post(emulator, id, first, "redeploy");
  await post(emulator, id, broken, "redeploy");
  emulator.pass(60);

  expect(await statusesOf(emulator, id)).toEqual([
    ...["DEPLOYED", "BUILD_FAILED", "DEPLOY_FAILED"],
    ...["DEPLOYED", "BUILD_FAILED"],
  ]);
});

test("an update after redeploying starts from the redeployed source", async () => {
  const { id, latest: first } = await create(emulator);
  await deployRef(emulator, id, "next");
  await post(emulator, id, first, "redeploy");

  const { body } = await call(emulator, `PATCH /v2/deployments/${id}`, { secrets: [] });

  expect(body).toMatchObject({ source_revision_config: { repo_ref: "main" } });
});

test("redeploying gets 409 while the deployment is being deleted", async () => {
  emulator.addFault({ kind: "slow_delete", seconds: 10 });
  const { id, latest } = await create(emulator);
  await call(emulator, `DELETE /v2/deployments/${id}`);

  expect((await post(emulator, id, latest, "redeploy")).status).toBe(409);
});

test.each(["interrupt", "interruption"])(
  "%s ends a stuck revision, and the next one starts",
  async (operation) => {
    const { id } = await create(emulator);
    emulator.pass(60);
    const stuck = await deployRef(emulator, id, "stuck");
    await deployRef(emulator, id, "main");
    emulator.pass(60);

    const response = await post(emulator, id, stuck, operation);

    expect(response).toMatchObject({
      status: 200,
      body: { id: stuck, status: "INTERRUPTED", updated_at: emulator.time() },
    });
    expect(await statusesOf(emulator, id)).toEqual(["DEPLOYED", "INTERRUPTED", "AWAITING_BUILD"]);
    emulator.pass(4);
    expect(await statusesOf(emulator, id)).toEqual(["DEPLOYED", "INTERRUPTED", "DEPLOYED"]);
  },
);

test("a revision that is interrupted in the queue stays interrupted", async () => {
  const { id } = await create(emulator);
  const second = await deployRef(emulator, id, "next");
  emulator.pass(3);

  expect((await post(emulator, id, second, "interrupt")).status).toBe(200);

  expect(await statusesOf(emulator, id)).toEqual(["BUILDING", "INTERRUPTED"]);
  emulator.pass(60);
  expect(await statusesOf(emulator, id)).toEqual(["DEPLOYED", "INTERRUPTED"]);
});

test("interruptions, the queue and redeployed revisions outlive a restart", () =>
  withTemporaryFolder(async (folder) => {
    let now = START;
    const pass = (seconds: number) => {
      now += seconds * 1000;
    };
    const options = { platform: "langsmith", dataFile: join(folder, "emulator.db"), now: () => now } as const;
    const id = await withEmulator({ ...options, failRefs }, async (first) => {
      const { id, latest } = await create(first);
      pass(60);
      const stuck = await deployRef(first, id, "stuck");
      await post(first, id, latest, "redeploy");
      await deployRef(first, id, "stuck");
      await deployRef(first, id, "main");
      pass(60);
      await post(first, id, stuck, "interrupt");
      return id;
    });
    pass(60);

    const statuses = await withEmulator(options, (second) => statusesOf(second, id));

    expect(statuses).toEqual(["DEPLOYED", "INTERRUPTED", "DEPLOYED", "BUILDING", "QUEUED"]);
  }));
