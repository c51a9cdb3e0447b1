import { expect, test } from "@jest/globals";
import { call, create, createRequest, deployRef, statusOf } from "./support/client.ts";
import { useEmulator, withEmulator } from "./support/emulator.ts";

const failures = ["CREATE_FAILED", "SKIPPED", "BUILD_FAILED", "INTERRUPTED", "DEPLOY_FAILED"];
const ends = [...failures, "BUILDING", "SOMETHING_NEW"];

/** On the ref "build-failed" revisions end as BUILD_FAILED, and so on. */
const refFor = (status: string) => status.toLowerCase().replace("_", "-");
const emulator = await useEmulator({ failRefs: Object.fromEntries(ends.map((end) => [refFor(end), end])) });

const onRef = (repo_ref: string) => createRequest({ source_revision_config: { repo_ref } });
const image = createRequest({
  source: "external_docker",
  source_revision_config: { repo_ref: null, app_config_path: null, image_uri: "registry.example/agent:1" },
});

/** The statuses of a new revision, second by second. */
async function statusesOf(request: object): Promise<string[]> {
  const { id, latest } = await create(emulator, request);
  const seen: string[] = [];
  for (const seconds of [0.999, 0.001, 1, 1, 1, 1, 1, 3600, 0]) {
    seen.push(await statusOf(emulator, id, latest));
    emulator.pass(seconds);
  }
  return [...new Set(seen)];
}

const beforeBuild = ["CREATING", "QUEUED", "AWAITING_BUILD"];
const allPending = [...beforeBuild, "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];

test("an image is not built", async () => {
  const expected = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];
  expect(await statusesOf(image)).toEqual(expected);
});

test.each([
  ["CREATE_FAILED", ["CREATING"]],
  ["SKIPPED", ["CREATING", "QUEUED"]],
  ["BUILD_FAILED", [...beforeBuild, "BUILDING"]],
  ["INTERRUPTED", [...beforeBuild, "BUILDING"]],
  ["DEPLOY_FAILED", allPending],
  ["BUILDING", beforeBuild],
  ["SOMETHING_NEW", allPending],
])("a revision that ends as %s has the pending statuses before it", async (status, before) => {
  expect(await statusesOf(onRef(refFor(status)))).toEqual([...before, status]);
});

test("a pending status lasts for statusSeconds, and updated_at is its start", async () => {
  let now = 0;
  await withEmulator({ now: () => now, statusSeconds: 2.5 }, async (own) => {
    const { id, latest } = await create(own);

    now = 4999;
    expect(await statusOf(own, id, latest)).toBe("QUEUED");
    now = 5000;
    expect(await call(own, `GET /v2/deployments/${id}/revisions/${latest}`)).toMatchObject({
      body: {
        status: "AWAITING_BUILD",
        created_at: "1970-01-01T00:00:00.000Z",
        updated_at: "1970-01-01T00:00:05.000Z",
      },
    });
  });
});

test("the newest DEPLOYED revision is active, and a superseded one stays DEPLOYED", async () => {
  const { id, latest: first } = await create(emulator);
  const read = async () => (await call(emulator, `GET /v2/deployments/${id}`)).body;
  expect(await read()).toMatchObject({ active_revision_id: null, url: null });

  emulator.pass(6);
  expect(await read()).toMatchObject({ active_revision_id: first, latest_revision_id: first });
  const second = await deployRef(emulator, id, "main");
  expect(await read()).toMatchObject({ active_revision_id: first, latest_revision_id: second });
  emulator.pass(6);
  expect(await read()).toMatchObject({ active_revision_id: second });
  expect(await statusOf(emulator, id, first)).toBe("DEPLOYED");

  const third = await deployRef(emulator, id, refFor("BUILD_FAILED"));
  emulator.pass(6);
  expect(await statusOf(emulator, id, third)).toBe("BUILD_FAILED");
  expect(await read()).toMatchObject({ active_revision_id: second, latest_revision_id: third });
});
