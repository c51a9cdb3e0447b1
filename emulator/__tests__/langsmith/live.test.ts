// The responses of the deployments themselves.
import { expect, test } from "@jest/globals";
import { call, deployRef } from "../support/client.ts";
import { useEmulator } from "../support/emulator.ts";
import { create, createRequest, imageRequest } from "../support/langsmith.ts";

const emulator = await useEmulator({
  platform: "langsmith",
  unhealthyRefs: ["sick"],
  failRefs: { broken: "DEPLOY_FAILED" },
});

async function statusOfLive(name: string): Promise<number> {
  return (await fetch(`${emulator.url}/live/${name}/ok?x=1`)).status;
}

test("a deployment answers 200 without credentials once a revision is live", async () => {
  const request = createRequest();
  expect(await statusOfLive(request.name)).toBe(404);
  await create(emulator, request);
  expect(await statusOfLive(request.name)).toBe(503);

  emulator.pass(6);

  expect(await statusOfLive(request.name)).toBe(200);
});

test("a revision of an unhealthy ref answers 503 until an earlier one is redeployed", async () => {
  const request = createRequest();
  const { id, latest: first } = await create(emulator, request);
  emulator.pass(6);
  const sick = await deployRef(emulator, id, "sick");
  expect(await statusOfLive(request.name)).toBe(200);

  emulator.pass(6);
  const { body } = await call(emulator, `GET /v2/deployments/${id}`);
  expect(body).toMatchObject({ active_revision_id: sick });
  expect(await statusOfLive(request.name)).toBe(503);

  await call(emulator, `POST /v2/deployments/${id}/revisions/${first}/redeploy`);
  emulator.pass(4);
  expect(await statusOfLive(request.name)).toBe(200);
});

test("with the fault failed_takes_over a failed revision is active and answers 503", async () => {
  const request = createRequest();
  const { id, latest: first } = await create(emulator, request);
  emulator.pass(6);
  const broken = await deployRef(emulator, id, "broken");
  emulator.pass(6);
  const active = async () => (await call(emulator, `GET /v2/deployments/${id}`)).body;
  expect(await active()).toMatchObject({ active_revision_id: first });

  const remove = emulator.addFault({ kind: "failed_takes_over" });

  expect(await active()).toMatchObject({ active_revision_id: broken });
  expect(await statusOfLive(request.name)).toBe(503);
  remove();
  expect(await active()).toMatchObject({ active_revision_id: first });
});

test("an image keeps its custom_url", async () => {
  const custom_url = "https://agent.example";
  const { id } = await create(emulator, imageRequest({ source_config: { custom_url } }));
  emulator.pass(6);

  const { body } = await call(emulator, `GET /v2/deployments/${id}`);

  expect(body).toMatchObject({ url: custom_url, source_config: { custom_url } });
});
