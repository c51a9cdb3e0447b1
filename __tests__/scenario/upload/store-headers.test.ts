// Headers that the platform asks to be sent with the archive: some stores refuse it without them.

import type { IncomingMessage, RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { upload as uploadTo, uploadUrl } from "../../../emulator/__tests__/support/uploads.ts";
import { answer } from "../../support/faults.ts";
import { expectError, startScenario, writes } from "../../support/scenario.ts";
import { startAgent } from "../after/support.ts";
import { useWorkspace } from "./support.ts";

const workspace = useWorkspace();
const upload = { source_path: "." };
const token = "canary-of-the-store-42";

/** A deployment whose archives go to a store of its own, with these headers. */
async function withStore(upload_headers: unknown, respond: RequestListener) {
  const scenario = await startScenario({ platform: "langsmith" });
  await scenario.deploy(upload, workspace.env);
  const { emulator } = scenario;
  const object_path = await uploadTo(emulator, scenario.stored().id);
  const store = await startAgent((request, response) => {
    buffer(request).then(
      () => respond(request, response),
      () => {},
    );
  });
  emulator.addFault(
    answer("/upload-url$", 200, {
      body: { upload_url: `${store.url}/archive`, object_path, upload_headers },
      times: "always",
    }),
  );
  return { ...scenario, store };
}

test("an upload is sent with the headers that the platform asks for, and not with those of another store", async () => {
  const headers = { "X-Store-Token": token, "content-TYPE": "application/x-tar", "Content-Length": "1" };
  const { deploy, store, emulator } = await withStore(headers, (_request, response) => response.end());

  const run = await deploy(upload, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  const [put] = store.requests;
  expect(put?.headers).toMatchObject({ "x-store-token": token, "content-type": "application/x-tar" });
  expect(Number(put?.headers["content-length"])).toBeGreaterThan(1);
  for (const name of ["x-goog-content-length-range", "x-api-key", "x-tenant-id"]) {
    expect(put?.headers).not.toHaveProperty(name);
  }
  expect(writes(emulator.requests).findLast(({ path }) => path.endsWith("/upload-url"))?.body).toEqual({
    supports_upload_headers: true,
  });
});

test("an upload whose platform asks for no headers is sent with the one that such addresses are signed for", async () => {
  const { deploy, store } = await withStore({}, (_request, response) => response.end());

  await deploy(upload, workspace.env);

  expect(store.requests[0]?.headers).toMatchObject({ "x-goog-content-length-range": "0,209715200" });
});

test("a header of an upload is a secret, even in the response of a store that repeats it", async () => {
  const echo = (request: IncomingMessage) => `The signature covers ${request.headers["x-store-token"]}.`;
  const { startDeploy, store } = await withStore({ "X-Store-Token": token }, (request, response) => {
    response.writeHead(403).end(echo(request));
  });
  const started = startDeploy(upload, workspace.env);

  const run = await started.ended;

  expect(store.requests.length).toBeGreaterThan(1);
  expectError(run, "The upload of the archive failed with 403", "The signature covers ***");
  expect(run.masks).toContain(token);
  const { masks: _, ...left } = started.context.recorded;
  expect(JSON.stringify(left)).not.toContain(token);
});

test.each([[{}], [null]])(
  "an upload with upload_headers %j keeps the usual headers",
  async (upload_headers) => {
    const { deploy, emulator, stored } = await startScenario({ platform: "langsmith" });
    await deploy(upload, workspace.env);
    const body = { ...(await uploadUrl(emulator, stored().id)), upload_headers };
    emulator.addFault(answer("/upload-url$", 200, { body }));

    const run = await deploy(upload, workspace.env);

    expect(run.outputs.outcome).toBe("deployed");
  },
);

test("headers of an upload that are no text are an error, and nothing is uploaded", async () => {
  const { deploy, store } = await withStore({ "X-A": 1 }, (_request, response) => response.end());

  const run = await deploy(upload, workspace.env);

  expectError(run, "upload_headers", "is not what the API describes");
  expect(store.requests).toEqual([]);
});

test.each(["ftp://store.example/archive", "file:///etc/archive"])(
  "the upload address %s is an error, and no other one is asked for",
  async (upload_url) => {
    const { deploy, emulator } = await startScenario({ platform: "langsmith" });
    const body = { upload_url, object_path: "object" };
    emulator.addFault(answer("/upload-url$", 200, { body, times: "always" }));

    const run = await deploy(upload, workspace.env);

    expectError(run, "upload_url is not what the API describes");
    expect(run.requests.filter(({ path }) => path.endsWith("/upload-url"))).toHaveLength(1);
  },
);
