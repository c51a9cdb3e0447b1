import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "@jest/globals";
import { maskSecretInputs } from "../../../src/inputs/masks.ts";
import { Report } from "../../../src/report/report.ts";
import type { SourceArchive } from "../../../src/source/archive.ts";
import { uploadArchive } from "../../../src/source/upload.ts";
import { messageMatching } from "../../support/message-matching.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";
import { noResponse } from "../http/support/failed.ts";

const content = Buffer.alloc(300_000, "archive ");
const archive: SourceArchive = {
  folder: "",
  files: [],
  digest: "sha256:0",
  packedBytes: content.length,
  read: async (onPart) => {
    const parts = [content.subarray(0, 100_000), content.subarray(100_000)];
    for (const { length } of parts) onPart(length);
    return Readable.from(parts, { objectMode: false });
  },
  [Symbol.asyncDispose]: async () => {},
};
const signature = "0123456789abcdef0123456789abcdef";
const owner = "sixteen-letters!";

type Respond = (request: IncomingMessage, response: ServerResponse) => unknown;
const accept: Respond = async (request, response) => {
  await buffer(request);
  response.end();
};
const respondWith =
  (status: number, headers = {}): Respond =>
  async (request, response) => {
    await buffer(request);
    response.writeHead(status, headers).end(`no: ${request.url}`);
  };

/** Uploads to a store that treats one attempt after the other like this, the last one again and again. */
async function upload(
  responds: readonly Respond[],
  { idleTimeoutMs = 60_000, allowHttp = false, host = "", sent = archive } = {},
) {
  const recording = recordingContext({});
  const redact = maskSecretInputs({}, { mask: () => {} });
  const report = new Report({ ...recording, action: { title: "Deploy" }, redact });
  const context = { ...recording, report };
  const requests: { url: string | undefined; headers: IncomingMessage["headers"] }[] = [];
  let attempts = 0;
  const origin = await serve((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    return (responds[requests.length - 1] ?? responds.at(-1))?.(request, response);
  });
  const createAddress = async () => {
    attempts += 1;
    const url = new URL(
      `${host || origin}/store/${attempts}.tar.gz?X-Signature=${signature}${attempts}&X-Owner=${owner}&X-Expires=900`,
    );
    return { url, headers: {}, objectPath: `object-${attempts}` };
  };
  const ending = await uploadArchive(sent, createAddress, { idleTimeoutMs, allowHttp }, context).then(
    (objectPath) => ({ objectPath, error: undefined }),
    (error: unknown) => ({ objectPath: undefined, error }),
  );
  const { lines, masks } = context.recorded;
  return { ...ending, requests, attempts, masks, redact, log: lines.map(({ text }) => text) };
}

test("an archive is sent whole, with the headers that the store signed and no key", async () => {
  let received: Buffer | undefined;
  const { objectPath, requests } = await upload([
    async (request, response) => {
      received = await buffer(request);
      response.end();
    },
  ]);

  expect(objectPath).toBe("object-1");
  expect(received?.equals(content)).toBe(true);
  expect(requests.map(({ headers }) => headers)).toEqual([
    {
      accept: "*/*",
      connection: "close",
      "content-length": String(content.length),
      "content-type": "application/gzip",
      host: expect.any(String),
      "user-agent": "deploy-agent-server",
    },
  ]);
});

test("the address and its signature are masked, and redacted from then on", async () => {
  const { redact, masks, requests, log } = await upload([respondWith(403), accept]);

  expect(masks).not.toContain("900");
  for (const secret of [`${signature}1`, `${signature}2`, owner]) {
    expect(masks).toContain(secret);
    expect(redact.redactText(`x ${secret} y`)).toBe("x *** y");
    expect(redact.redactIdentifier(`x-${secret}-y`)).toBe("x-***-y");
    expect(log.join("\n")).not.toContain(secret);
  }
  expect(masks).toContainEqual(expect.stringMatching(/^http:.*\?X-Signature=/));
  expect(requests).toHaveLength(2);
});

test.each<[string, Respond]>([
  ["503", respondWith(503)],
  ["429", respondWith(429)],
  ["403, as after it expired", respondWith(403)],
  ["400, as after it expired", respondWith(400)],
  ["a connection that breaks off", (request) => request.socket.destroy()],
  [
    "a connection that breaks off while the body is sent",
    (request) => request.once("data", () => request.socket.destroy()),
  ],
])("an address that responds with %s is replaced by a new one", async (_what, respond) => {
  const { objectPath, requests, log } = await upload([respond, accept]);

  expect(objectPath).toBe("object-2");
  expect(requests.map(({ url }) => url?.split("?")[0])).toEqual(["/store/1.tar.gz", "/store/2.tar.gz"]);
  expect(log).toContainEqual(expect.stringMatching(/^The upload of the archive.* Retrying in/));
  expect(log.at(-1)).toMatch(/^Uploaded 293\.0 KiB in \d+ s\.$/);
});

test.each<[string, Respond, number, RegExp, RegExp]>([
  ["always responds with 503", respondWith(503), 60_000, /failed with 503/, /may upload to 127\.0\.0\.1/],
  ["never responds", () => {}, 50, /: no data for 0\.05 s\.$/, /raise request_timeout_seconds/],
])(
  "a store that %s is given up after five attempts",
  async (_what, respond, idleTimeoutMs, message, hint) => {
    const { error, attempts } = await upload([respond], { idleTimeoutMs });

    expect(attempts).toBe(5);
    expect(error).toMatchObject({
      message: expect.stringMatching(message),
      ending: { hint: messageMatching(hint) },
    });
  },
);

test("413 is final", async () => {
  const { error, attempts } = await upload([respondWith(413)]);

  expect(attempts).toBe(1);
  expect(error).toMatchObject({ ending: { hint: messageMatching(/\.dockerignore/) } });
});

test("a redirect is not followed, and its address is shown without its query", async () => {
  const location = "https://elsewhere.example/x?signature=secret";

  const { error } = await upload([respondWith(307, { location })]);

  expect(error).toMatchObject({
    message: expect.stringMatching(/a redirect to https:\/\/elsewhere\.example\/x, which is not followed/),
  });
});

test("a platform that returns no address is not asked again here", async () => {
  const context = recordingContext({});
  const refusal = noResponse(false);
  let calls = 0;
  const createAddress = () => {
    calls += 1;
    return Promise.reject(refusal);
  };

  const uploading = uploadArchive(archive, createAddress, { idleTimeoutMs: 1000, allowHttp: false }, context);

  await expect(uploading).rejects.toBe(refusal);
  expect(calls).toBe(1);
});

describe("a plain http: address of another machine", () => {
  // No name of this domain exists (https://www.rfc-editor.org/rfc/rfc6761#section-6.4).
  const host = "http://store.invalid";

  test("is refused without a request", async () => {
    const { error, attempts } = await upload([accept], { host });

    expect(error).toMatchObject({
      message: "The platform's upload address on store.invalid does not start with https://.",
      ending: { hint: messageMatching(/plain http: address .* allow_http: true/) },
    });
    expect(attempts).toBe(1);
  });

  test("is used with allow_http", async () => {
    const { error } = await upload([accept], { host, allowHttp: true });

    expect(error).toMatchObject({
      message: expect.stringMatching(/^The upload of the archive: the connection failed/),
      ending: { hint: messageMatching(/must be able to reach.*NO_PROXY/) },
    });
  });
});

test("the progress is logged every ten seconds until the store responds", async () => {
  const context = recordingContext({});
  const { clock, cancelled } = context;
  const origin = await serve(async (request, response) => {
    await buffer(request);
    await clock.sleep(25_000, cancelled);
    response.end();
  });
  const createAddress = async () => ({ url: new URL(`${origin}/store`), headers: {}, objectPath: "object" });

  await uploadArchive(archive, createAddress, { idleTimeoutMs: 60_000, allowHttp: false }, context);

  expect(context.recorded.lines.map(({ text }) => text)).toEqual([
    "[10 s] Uploaded 293.0 KiB of 293.0 KiB (100 %).",
    "[20 s] Uploaded 293.0 KiB of 293.0 KiB (100 %).",
    "Uploaded 293.0 KiB in 25 s.",
  ]);
});
