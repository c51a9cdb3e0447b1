// Source archives: upload addresses, uploads, and revisions that are built from them.
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { call, deploymentIn, revisionsOf, statusOf } from "../support/client.ts";
import { START, useEmulator, withEmulator, withTemporaryFolder } from "../support/emulator.ts";
import { create, imageRequest, readRevision, refusalIn, UNKNOWN_ID } from "../support/langsmith.ts";
import {
  ARCHIVE,
  createFromSource,
  deployArchive,
  put,
  sourceRequest,
  upload,
  uploadAndDeploy,
  uploadUrl,
} from "../support/uploads.ts";

const emulator = await useEmulator({ platform: "langsmith" });

test("a deployment from source has no revision before an archive came, and is listed like any other", async () => {
  const request = sourceRequest();
  const id = await createFromSource(emulator, request);

  const { body } = await call(emulator, `GET /v2/deployments?name_contains=${request.name}`);

  expect(body).toMatchObject({ resources: [{ id, latest_revision_id: null, active_revision_id: null }] });
  expect((await revisionsOf(emulator, id)).ids).toEqual([]);
});

test("an update without an archive stores the secrets and makes no revision", async () => {
  const id = await createFromSource(emulator);

  const secrets = [{ name: "FIRST", value: "canary" }];
  const { body } = await call(emulator, `PATCH /v2/deployments/${id}`, { secrets });

  expect(body).toMatchObject({ latest_revision_id: null, secrets: [{ name: "FIRST" }] });
});

test("an uploaded archive becomes a revision", async () => {
  const id = await createFromSource(emulator);
  const path = await upload(emulator, id);

  const commands = { install_command: "npm ci", build_command: "npm run build" };
  const others = { source_config: commands, tracked_packages: ["langgraph"] };
  const response = await deployArchive(emulator, id, path, others);

  const [revision = ""] = (await revisionsOf(emulator, id)).ids;
  expect(response).toMatchObject({
    status: 200,
    body: { latest_revision_id: revision, source_config: commands },
  });
  expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${revision}`)).body).toMatchObject({
    source: "internal_source",
    source_revision_config: {
      source_tarball_path: path,
      langgraph_config_path: "langgraph.json",
      repo_ref: null,
      repo_commit_sha: null,
    },
  });
  expect(readFileSync(emulator.archiveOf(id, path) ?? "")).toEqual(ARCHIVE);
  emulator.pass(60);
  expect(await statusOf(emulator, id, revision)).toBe("DEPLOYED");
});

test("an update without a path deploys the last archive again", async () => {
  const id = await createFromSource(emulator);
  const { path } = await uploadAndDeploy(emulator, id);

  await call(emulator, `PATCH /v2/deployments/${id}`, { secrets: [] });

  const [second = ""] = (await revisionsOf(emulator, id)).ids;
  expect(await readRevision(emulator, id, second)).toMatchObject({
    source_revision_config: { source_tarball_path: path },
  });
});

test("an update may name another source for its revision", async () => {
  const id = await createFromSource(emulator);

  const image = { image_uri: "registry.example/agent:1" };
  const request = { revision_source: "internal_docker", source_revision_config: image };
  const { latest } = deploymentIn(await call(emulator, `PATCH /v2/deployments/${id}`, request));

  const { body } = await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}`);
  expect(body).toMatchObject({ source: "internal_docker", source_revision_config: image });
});

test("a path that was not uploaded for this deployment is refused with 400, and nothing changes", async () => {
  const id = await createFromSource(emulator);
  const other = await upload(emulator, await createFromSource(emulator));
  const { object_path: empty } = await uploadUrl(emulator, id);
  const before = emulator.deployments();

  for (const path of ["any.tar.gz", other, other.replace(/^.*sources/, `deployments/${id}/sources`), empty]) {
    const response = await deployArchive(emulator, id, path);

    expect(refusalIn(response)).toEqual([400, expect.stringContaining(`${path} was not uploaded`)]);
  }
  const source_revision_config = { source_tarball_path: other };
  const created = await call(emulator, "POST /v2/deployments", {
    ...sourceRequest(),
    source_revision_config,
  });
  expect(created.status).toBe(400);
  expect(emulator.deployments()).toEqual(before);
});

test("an upload address is only given for a deployment from source that exists", async () => {
  const { id } = await create(emulator, imageRequest());

  const refused = await call(emulator, `POST /v2/deployments/${id}/upload-url`);

  expect(refusalIn(refused)).toEqual([400, expect.stringContaining("'internal_source'")]);
  expect((await call(emulator, `POST /v2/deployments/${UNKNOWN_ID}/upload-url`)).status).toBe(404);
});

test("an upload address is valid for 15 minutes and one upload", async () => {
  const id = await createFromSource(emulator);
  const [first, second] = [await uploadUrl(emulator, id), await uploadUrl(emulator, id)];

  emulator.pass(15 * 60 - 1);
  expect((await put(first.upload_url, ARCHIVE)).status).toBe(200);
  expect(refusalIn(await put(first.upload_url, ARCHIVE))).toEqual([409, expect.stringContaining("already")]);
  emulator.pass(1);
  expect(refusalIn(await put(second.upload_url, ARCHIVE))).toEqual([400, expect.stringContaining("expired")]);
});

const TOO_LARGE = String(200 * 1024 * 1024 + 1);

test.each([
  ["another token", 403, (url: string) => put(`${url}x`, ARCHIVE)],
  ["no token", 403, (url: string) => put(url.replace(/\?.*/, ""), ARCHIVE)],
  ["another content type", 403, (url: string) => put(url, ARCHIVE, { "Content-Type": "application/x-tar" })],
  ["no range", 403, (url: string) => put(url, ARCHIVE, { "X-Goog-Content-Length-Range": undefined })],
  ["a body that is not gzip", 400, (url: string) => put(url, "PK\u0003\u0004")],
  ["a body of one byte", 400, (url: string) => put(url, "\u001f")],
  ["no body", 400, (url: string) => put(url, "")],
  ["more than 200 MiB", 400, (url: string) => putPart(url, ARCHIVE, { "Content-Length": TOO_LARGE })],
  ["an unknown length", 411, (url: string) => putPart(url, ARCHIVE, { "Transfer-Encoding": "chunked" })],
])("an upload with %s is refused with %d, and may be repeated", async (_, status, send) => {
  const id = await createFromSource(emulator);
  const { upload_url, object_path } = await uploadUrl(emulator, id);

  expect((await send(upload_url)).status).toBe(status);

  expect((await deployArchive(emulator, id, object_path)).status).toBe(400);
  expect((await put(upload_url, ARCHIVE)).status).toBe(200);
});

/** Sends a part of a body and waits for a response, or for the end of the connection. */
function putPart(url: string, part: Buffer, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined }>((resolve) => {
    const signed = { "Content-Type": "application/gzip", "X-Goog-Content-Length-Range": "0,209715200" };
    const sent = request(url, { method: "PUT", headers: { ...signed, ...headers } });
    sent.on("response", (response) => {
      sent.destroy();
      resolve({ status: response.statusCode });
    });
    sent.on("error", () => resolve({ status: undefined }));
    sent.write(part);
  });
}

test("an upload that breaks off leaves nothing behind and may be repeated", () =>
  withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    await withEmulator({ platform: "langsmith", dataFile }, async (own) => {
      const remove = own.addFault({ kind: "reset", match: { method: "PUT", path: "^/uploads/" }, bytes: 5 });
      const id = await createFromSource(own);
      const { upload_url, object_path } = await uploadUrl(own, id);

      await expect(put(upload_url, ARCHIVE)).rejects.toThrow();
      remove();

      expect((await deployArchive(own, id, object_path)).status).toBe(400);
      expect((await put(upload_url, ARCHIVE)).status).toBe(200);
      expect((await deployArchive(own, id, object_path)).status).toBe(200);
      expect(readdirSync(`${dataFile}.archives`)).toHaveLength(1);
    });
  }));

test("the fault answer responds to an upload of any size without taking it, and the address stays valid", async () => {
  const match = { method: "PUT", path: "^/uploads/" };
  const headers = { Location: `${emulator.url}/elsewhere` };
  emulator.addFault({ kind: "answer", match, status: 503 });
  emulator.addFault({ kind: "answer", match: { ...match, from: 2 }, status: 307, headers });
  const id = await createFromSource(emulator);
  const { upload_url } = await uploadUrl(emulator, id);
  const large = Buffer.concat([ARCHIVE, Buffer.alloc(1024 * 1024)]);

  expect(await put(upload_url, large)).toMatchObject({ status: 503 });
  expect(await putPart(upload_url, large, { "Content-Length": String(large.length) })).toEqual({
    status: 307,
  });
  expect(await put(upload_url, large)).toMatchObject({ status: 200 });
});

test("archives outlive a restart, and are removed with their deployment", () =>
  withTemporaryFolder(async (folder) => {
    let now = START;
    const dataFile = join(folder, "emulator.db");
    const options = { platform: "langsmith", dataFile, now: () => now } as const;
    const { id, path, revision, pending } = await withEmulator(options, async (first) => {
      const id = await createFromSource(first);
      return { id, ...(await uploadAndDeploy(first, id)), pending: (await uploadUrl(first, id)).upload_url };
    });
    now += 60_000;

    await withEmulator(options, async (second) => {
      const other = await uploadAndDeploy(second, await createFromSource(second));
      await call(second, `POST /v2/deployments/${id}/revisions/${revision}/redeploy`);
      const { port } = new URL(second.url);
      const address = Object.assign(new URL(pending), { port }).href;

      expect((await put(address, ARCHIVE)).status).toBe(200);
      expect((await revisionsOf(second, id)).ids).toHaveLength(2);
      expect(readFileSync(second.archiveOf(id, path) ?? "")).toEqual(ARCHIVE);
      expect(readdirSync(`${dataFile}.archives`)).toHaveLength(3);

      await call(second, `DELETE /v2/deployments/${id}`);
      await call(second, "GET /v2/deployments");
      expect(readdirSync(`${dataFile}.archives`)).toEqual([other.path.replace(/^.*\//, "")]);
    });
  }));

test("a large archive is streamed to disk", async () => {
  const id = await createFromSource(emulator);
  const large = Buffer.concat([ARCHIVE, Buffer.alloc(4 * 1024 * 1024, "x")]);

  const path = await upload(emulator, id, large);

  expect(readFileSync(emulator.archiveOf(id, path) ?? "").equals(large)).toBe(true);
  expect(emulator.requests.find(({ method }) => method === "PUT")?.body).toBeUndefined();
});
