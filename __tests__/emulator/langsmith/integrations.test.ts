// GET /v1/integrations/github/… (platform-field-notes, "Endpoints beyond platform-api").
import { expect, test } from "@jest/globals";
import { call, complaints } from "../support/client.ts";
import { detailOf, INTEGRATION_ID, UNKNOWN_ID, withLangsmith } from "../support/langsmith.ts";

const INSTALL = "GET /v1/integrations/github/install";
const reposOf = (id: string) => `GET /v1/integrations/github/${id}/repos`;

test("there is an integration to begin with", () =>
  withLangsmith({}, async ({ emulator }) => {
    expect((await call(emulator, INSTALL)).body).toEqual([
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
  }));

test("there may be several or none, also below /api-host", async () => {
  const other = "11111111-1111-4111-8111-111111111111";
  const integrations = [
    { id: INTEGRATION_ID, name: "one", repositories: [] },
    { id: other, name: "other", repositories: ["https://github.com/o/a", "https://git.example/p/b.git"] },
  ];
  await withLangsmith({ integrations }, async ({ emulator }) => {
    expect((await call(emulator, INSTALL.replace("/v1", "/api-host/v1"))).body).toMatchObject([
      { id: INTEGRATION_ID, installation_id: 1, name: "one" },
      { id: other, installation_id: 2, name: "other" },
    ]);
    expect((await call(emulator, reposOf(INTEGRATION_ID))).body).toEqual([]);
    expect((await call(emulator, reposOf(other))).body).toMatchObject([
      { id: 1, owner: "o", name: "a", url: "https://github.com/o/a" },
      { id: 2, owner: "p", name: "b", url: "https://git.example/p/b.git" },
    ]);
  });
  await withLangsmith({ integrations: [] }, async ({ emulator }) => {
    expect((await call(emulator, INSTALL)).body).toEqual([]);
  });
});

test("what isn't there answers 404, what is no UUID 422, who may not ask 401 or 403", () =>
  withLangsmith({}, async ({ emulator }) => {
    const unknown = await call(emulator, reposOf(UNKNOWN_ID));
    expect(unknown.status).toBe(404);
    expect(detailOf(unknown)).toContain(UNKNOWN_ID);
    expect(complaints(await call(emulator, reposOf("some-id")))).toEqual(["path.integration_id"]);
    expect((await call({ ...emulator, apiKey: "wrong" }, INSTALL)).status).toBe(401);
    expect((await call({ ...emulator, workspaceId: UNKNOWN_ID }, INSTALL)).status).toBe(403);
  }));
