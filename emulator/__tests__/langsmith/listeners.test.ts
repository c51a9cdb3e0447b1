// The listeners of a workspace, which deploy images to Kubernetes clusters.
import { expect, test } from "@jest/globals";
import { call, violations } from "../support/client.ts";
import { useEmulator, withEmulator } from "../support/emulator.ts";
import { imageRequest, refusalIn, UNKNOWN_ID } from "../support/langsmith.ts";

const ONE = "33333333-3333-4333-8333-333333333333";
const TWO = "44444444-4444-4444-8444-444444444444";
const listeners = [
  { id: ONE, namespaces: ["agents"] },
  { id: TWO, namespaces: ["staging", "production"] },
];
const emulator = await useEmulator({ platform: "langsmith", listeners });

test("listeners are listed in pages and read one by one, also under /api-host", async () => {
  const one = { id: ONE, compute_type: "k8s", compute_config: { k8s_namespaces: ["agents"] } };
  const two = { id: TWO, compute_config: { k8s_namespaces: ["staging", "production"] } };

  const list = await call(emulator, "GET /v2/listeners");
  const page = await call(emulator, "GET /v2/listeners?limit=1&offset=1");
  const read = await call(emulator, `GET /api-host/v2/listeners/${ONE}`);

  expect(list.body).toMatchObject({ resources: [one, two], offset: 2 });
  expect(page.body).toMatchObject({ resources: [two], offset: 2 });
  expect(read.body).toMatchObject(one);
});

test("an unknown listener gets 404, an id that is not a UUID 422, and a wrong key 401", async () => {
  const unknown = await call(emulator, `GET /v2/listeners/${UNKNOWN_ID}`);
  const invalid = await call(emulator, "GET /v2/listeners/cluster");
  const wrongKey = await call({ ...emulator, apiKey: "wrong" }, "GET /v2/listeners");

  expect(refusalIn(unknown)).toEqual([404, `Listener ${UNKNOWN_ID} not found.`]);
  expect(violations(invalid)).toEqual(["path.listener_id"]);
  expect(wrongKey.status).toBe(401);
});

test("a new emulator has no listeners, and the standard dialect doesn't know them", async () => {
  await withEmulator({ platform: "langsmith" }, async (own) => {
    expect((await call(own, "GET /v2/listeners")).body).toEqual({ resources: [], offset: 0 });
    expect((await call(own, "POST /v2/deployments", imageRequest())).status).toBe(201);
  });
  await withEmulator({}, async (standard) => {
    expect((await call(standard, "GET /v2/listeners")).status).toBe(404);
  });
});

const available = `'source_config.listener_id' is required for workspace with available listener IDs: ['${ONE}', '${TWO}']`;
const namespaces = "'source_config.listener_config.k8s_namespace' has to be one of: ";
const namespace = (k8s_namespace: string) => ({ listener_config: { k8s_namespace } });
const refused = (detail: string) => ({
  status: 400,
  body: { detail: `Source configuration error: ${detail}` },
});

const accepted = (source_config: object) => ({ status: 201, body: { source_config } });
const inProduction = { listener_id: TWO, ...namespace("production") };

test.each([
  ["without a listener is refused", {}, refused(available)],
  ["with an unknown listener is refused", { listener_id: UNKNOWN_ID }, refused(available)],
  [
    "without one of two namespaces is refused",
    { listener_id: TWO },
    refused(`${namespaces}staging, production`),
  ],
  [
    "with another namespace is refused",
    { listener_id: ONE, ...namespace("default") },
    refused(`${namespaces}agents`),
  ],
  [
    "for the only namespace of its listener is accepted",
    { listener_id: ONE },
    accepted({ listener_id: ONE }),
  ],
  ["for one of two namespaces is accepted", inProduction, accepted(inProduction)],
])("a create of an image %s", async (_, placement, expected) => {
  const request = imageRequest({ source_config: { resource_spec: {}, ...placement } });

  const response = await call(emulator, "POST /v2/deployments", request);

  expect(response).toMatchObject(expected);
});
