// The deployments themselves, as far as a health check goes.
import { expect, test } from "@jest/globals";
import { call } from "../support/client.ts";
import { create, createRequest, deployRef, imageRequest, withLangsmith } from "../support/langsmith.ts";

test("a deployment answers while a revision of it is live, whoever asks", () =>
  withLangsmith({}, async ({ emulator, pass }) => {
    const ask = async () => {
      const response = await fetch(`${emulator.url}/live/my-agent/some/path?x=1`);
      return { status: response.status, body: await response.json() };
    };
    expect((await ask()).status).toBe(404);
    await create(emulator);
    expect((await ask()).status).toBe(503);
    pass(6);
    expect(await ask()).toEqual({ status: 200, body: { ok: true } });
  }));

test("a revision of an unhealthy ref is live and answers 503; the one before it, deployed again, does well", () =>
  withLangsmith({ unhealthyRefs: ["sick"] }, async ({ emulator, pass }) => {
    const status = async () => (await fetch(`${emulator.url}/live/my-agent/ok`)).status;
    const { id, latest: first } = await create(emulator);
    pass(6);
    const sick = await deployRef(emulator, id, "sick");
    expect(await status()).toBe(200);
    pass(6);
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toMatchObject({
      active_revision_id: sick,
    });
    expect(await status()).toBe(503);
    await call(emulator, `POST /v2/deployments/${id}/revisions/${first}/redeploy`);
    pass(4);
    expect(await status()).toBe(200);
  }));

test("a revision that failed is not healthy where it took the live one's place", () =>
  withLangsmith(
    { failRefs: { broken: "DEPLOY_FAILED" }, misbehave: [{ kind: "failed_takes_over" }] },
    async (one) => {
      const { id } = await create(one.emulator, createRequest());
      one.pass(6);
      await deployRef(one.emulator, id, "broken");
      one.pass(6);
      expect((await fetch(`${one.emulator.url}/live/my-agent/`)).status).toBe(503);
    },
  ));

test("an image's own address is left as it is", () =>
  withLangsmith({ statusSeconds: 0 }, async ({ emulator }) => {
    const { id } = await create(
      emulator,
      imageRequest({ source_config: { custom_url: "https://agent.example" } }),
    );
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toMatchObject({
      url: "https://agent.example",
      source_config: { custom_url: "https://agent.example" },
    });
  }));
