import { expect, test } from "@jest/globals";
import { call, create, createRequest, deploymentIn, statusOf, withEmulator } from "./support/client.ts";

/** The status at each whole second, until it stops changing at `end`. */
async function life(
  config: Record<string, unknown>,
  failRefs: Record<string, string> = {},
): Promise<string[]> {
  let now = 0;
  const seen: string[] = [];
  await withEmulator({ now: () => now, failRefs }, async (emulator) => {
    const { id, latest } = await create(emulator, config);
    for (const second of [0, 0.999, 1, 2, 3, 4, 5, 6, 3600]) {
      now = second * 1000;
      seen.push(await statusOf(emulator, id, latest));
    }
  });
  return [...new Set(seen)];
}

const onRef = (ref: string) => ({
  source_revision_config: { ...createRequest().source_revision_config, repo_ref: ref },
});
const image = {
  source: "external_docker",
  source_revision_config: { repo_ref: null, app_config_path: null, image_uri: "registry.example/agent:1" },
};

test("a revision goes through every pending status and ends DEPLOYED", async () => {
  expect(await life({})).toEqual([
    "CREATING",
    "QUEUED",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "DEPLOYED",
  ]);
});

test("an image is not built", async () => {
  expect(await life(image)).toEqual(["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"]);
});

test.each([
  ["CREATE_FAILED", ["CREATING"]],
  ["SKIPPED", ["CREATING", "QUEUED"]],
  ["BUILD_FAILED", ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING"]],
  ["INTERRUPTED", ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING"]],
  ["DEPLOY_FAILED", ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"]],
  ["BUILDING", ["CREATING", "QUEUED", "AWAITING_BUILD"]],
  ["SOMETHING_NEW", ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"]],
])("a revision of a ref that is to end in %s", async (status, before) => {
  expect(await life(onRef("broken"), { broken: status })).toEqual([...before, status]);
  expect((await life(onRef("fine"), { broken: status })).at(-1)).toBe("DEPLOYED");
});

test("no pending status at all with status-seconds 0", () =>
  withEmulator({ statusSeconds: 0, failRefs: { broken: "BUILD_FAILED" } }, async (emulator) => {
    const fine = await create(emulator);
    expect(await statusOf(emulator, fine.id, fine.latest)).toBe("DEPLOYED");
    const broken = await create(emulator, { name: "broken", ...onRef("broken") });
    expect(await statusOf(emulator, broken.id, broken.latest)).toBe("BUILD_FAILED");
  }));

test("a pending status lasts as long as the option says, and updated_at tells when it began", () => {
  let now = 0;
  return withEmulator({ now: () => now, statusSeconds: 2.5 }, async (emulator) => {
    const { id, latest } = await create(emulator);
    now = 4999;
    expect(await statusOf(emulator, id, latest)).toBe("QUEUED");
    now = 5000;
    expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}`)).body).toMatchObject({
      status: "AWAITING_BUILD",
      created_at: "1970-01-01T00:00:00.000Z",
      updated_at: "1970-01-01T00:00:05.000Z",
    });
  });
});

test("the newest DEPLOYED revision is the active one, a superseded one stays DEPLOYED, a failed one is passed over", () => {
  let now = 0;
  return withEmulator({ now: () => now, failRefs: { broken: "BUILD_FAILED" } }, async (emulator) => {
    const { id, latest: first } = await create(emulator);
    const update = async (ref: string) =>
      deploymentIn(
        await call(emulator, `PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: ref } }),
      ).latest;
    const read = async () => (await call(emulator, `GET /v2/deployments/${id}`)).body;
    expect(await read()).toMatchObject({ active_revision_id: null, url: null });

    now += 6000;
    expect(await read()).toMatchObject({ active_revision_id: first, latest_revision_id: first });
    const second = await update("main");
    expect(await read()).toMatchObject({ active_revision_id: first, latest_revision_id: second });
    now += 6000;
    expect(await read()).toMatchObject({ active_revision_id: second });
    expect(await statusOf(emulator, id, first)).toBe("DEPLOYED");

    const third = await update("broken");
    now += 6000;
    expect(await statusOf(emulator, id, third)).toBe("BUILD_FAILED");
    expect(await read()).toMatchObject({ active_revision_id: second, latest_revision_id: third });
  });
});

test("a live deployment has an https URL of its own, or its custom one", () =>
  withEmulator({ statusSeconds: 0 }, async (emulator) => {
    const { id } = await create(emulator);
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toMatchObject({
      url: expect.stringMatching(/^https:\/\/my-agent-[0-9a-f]{8}\.deployments\.example$/),
    });
    const source_config = { ...createRequest().source_config, custom_url: "https://agent.example.org" };
    const custom = await create(emulator, { name: "custom", source_config });
    expect((await call(emulator, `GET /v2/deployments/${custom.id}`)).body).toMatchObject({
      url: "https://agent.example.org",
    });
  }));

test("a clock may stand between two milliseconds", () =>
  withEmulator({ now: () => 1234.5678 }, async (emulator) => {
    const { id, latest } = await create(emulator);
    expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}`)).body).toMatchObject({
      created_at: "1970-01-01T00:00:01.234Z",
    });
    expect((await call(emulator, "PATCH /v2/auth/providers/local-provider", { name: "x" })).status).toBe(200);
  }));
