import { expect, test } from "@jest/globals";
import { call, violations } from "../support/client.ts";
import { useEmulator, withEmulator } from "../support/emulator.ts";
import { INTEGRATION_ID, refusalIn, UNKNOWN_ID } from "../support/langsmith.ts";

const emulator = await useEmulator({ platform: "langsmith" });
const install = "GET /v1/integrations/github/install";
const reposOf = (id: string) => `GET /v1/integrations/github/${id}/repos`;

test("a new emulator has one integration that covers one repository", async () => {
  expect((await call(emulator, install)).body).toEqual([
    { id: INTEGRATION_ID, installation_id: 1, name: "octo-org" },
  ]);
  expect((await call(emulator, reposOf(INTEGRATION_ID))).body).toEqual([
    {
      host_integration_id: INTEGRATION_ID,
      id: 1,
      name: "octo-repo",
      owner: "octo-org",
      url: "https://github.com/octo-org/octo-repo",
      default_branch: "main",
    },
  ]);
});

test("an emulator may have several integrations, also served under /api-host", () => {
  const other = "11111111-1111-4111-8111-111111111111";
  const integrations = [
    { id: INTEGRATION_ID, name: "one", repositories: [] },
    { id: other, name: "other", repositories: ["https://github.com/o/a", "https://git.example/p/b.git"] },
  ];
  return withEmulator({ platform: "langsmith", integrations }, async (own) => {
    expect((await call(own, install.replace("/v1", "/api-host/v1"))).body).toMatchObject([
      { id: INTEGRATION_ID, installation_id: 1, name: "one" },
      { id: other, installation_id: 2, name: "other" },
    ]);
    expect((await call(own, reposOf(INTEGRATION_ID))).body).toEqual([]);
    expect((await call(own, reposOf(other))).body).toMatchObject([
      { id: 1, owner: "o", name: "a", url: "https://github.com/o/a" },
      { id: 2, owner: "p", name: "b", url: "https://git.example/p/b.git" },
    ]);
  });
});

test("an unknown integration gets 404, and an id that is not a UUID 422", async () => {
  const unknown = await call(emulator, reposOf(UNKNOWN_ID));

  expect(refusalIn(unknown)).toEqual([404, expect.stringContaining(UNKNOWN_ID)]);
  expect(violations(await call(emulator, reposOf("some-id")))).toEqual(["path.integration_id"]);
});

test("integrations need the key and the workspace", async () => {
  expect((await call({ ...emulator, apiKey: "wrong" }, install)).status).toBe(401);
  expect((await call({ ...emulator, workspaceId: UNKNOWN_ID }, install)).status).toBe(403);
});
