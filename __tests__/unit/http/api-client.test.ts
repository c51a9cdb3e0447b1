import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { ApiClient } from "../../../src/http/api-client.ts";
import { RequestError } from "../../../src/http/request-error.ts";
import { text } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";
import { reachHintFor } from "./support/request-to.ts";

const ThingSchema = v.looseObject({ id: v.string() });

/** What a client reads of a server that always responds with this. */
async function readOf(status: number, body: string, headers = {}): Promise<unknown> {
  const address = await serve((_request, response) => response.writeHead(status, headers).end(body));
  const settings = {
    url: new URL(address),
    headers: {},
    requestTimeoutMs: 10_000,
    retryMs: 0,
    hintFor: () => text`Check it.`,
  };
  const client = new ApiClient(settings, recordingContext({}));
  return await client.read("/it", ThingSchema).catch((error: unknown) => error);
}

function clientAt(address: string, retryMs = 0): ApiClient {
  return new ApiClient(
    {
      url: new URL(address),
      headers: {},
      requestTimeoutMs: 10_000,
      retryMs,
      hintFor: reachHintFor,
    },
    recordingContext({}),
  );
}

test.each([
  ["is not JSON", 200, "<html>", "not JSON"],
  ["is something else", 200, '"text"', "the body is not what the API describes"],
  ["lacks what is needed, which the message names", 200, '{"id": 7}', "id is not"],
])("a successful response that %s is an error", async (_what, status, body, fact) => {
  const error = await readOf(status, body);

  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ status, message: expect.stringContaining(fact) });
});

test("every error has the hint of the API's owner", async () => {
  const hint = text`Check it.`;
  const closed = await serve(({ socket }) => socket.destroy());
  const settings = {
    url: new URL(closed),
    headers: {},
    requestTimeoutMs: 10_000,
    retryMs: 0,
    hintFor: () => hint,
  };
  const client = new ApiClient(settings, recordingContext({}));

  await expect(client.read("/it", ThingSchema)).rejects.toMatchObject({
    status: undefined,
    ending: { hint },
  });
  expect(await readOf(503, "{}")).toMatchObject({ status: 503, ending: { hint } });
  expect(await readOf(302, "{}")).toMatchObject({ status: 302, ending: { hint } });
  expect(await readOf(200, "{}")).toMatchObject({ status: 200, ending: { hint } });
});

test("the delay that a refusal asks for is read from its header", async () => {
  expect(await readOf(503, "{}", { "retry-after": "7" })).toMatchObject({
    reason: { status: 503, retryAfterMs: 7000 },
  });
});

test.each([
  ["GET", 503, 5],
  ["GET", 429, 5],
  ["POST", 503, 1],
  ["POST", 429, 5],
  ["DELETE", 503, 1],
] as const)(
  "%s is sent until it succeeds, at most five times: after %d %d times",
  async (method, status, times) => {
    let requests = 0;
    const address = await serve((_request, response) => {
      requests += 1;
      response.writeHead(status).end("{}");
    });

    await expect(clientAt(address, 60_000).send({ method, path: "/it" })).rejects.toThrow(String(status));

    expect(requests).toBe(times);
  },
);

test("a request carries the headers of its client, and each attempt has the whole time", async () => {
  const seen: unknown[] = [];
  const address = await serve(({ headers }, response) => {
    seen.push(headers["x-api-key"]);
    if (seen.length > 1) response.end('{"id":"x"}');
  });
  const settings = {
    url: new URL(address),
    headers: { "x-api-key": "key-1" },
    requestTimeoutMs: 200,
    retryMs: 60_000,
    hintFor: reachHintFor,
  };

  expect(await new ApiClient(settings, recordingContext({})).read("/it", ThingSchema)).toEqual({
    id: "x",
  });

  expect(seen).toEqual(["key-1", "key-1"]);
});
