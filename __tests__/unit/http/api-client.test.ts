import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { ApiClient } from "../../../src/http/api-client.ts";
import { RequestError } from "../../../src/http/request-error.ts";
import { text } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

const ThingSchema = v.looseObject({ id: v.string() });

/** What a client reads of a server that always responds with this. */
async function readOf(status: number, body: string, headers = {}): Promise<unknown> {
  const address = await serve((_request, response) => response.writeHead(status, headers).end(body));
  const settings = { headers: {}, requestTimeoutMs: 10_000, retryMs: 0, hintFor: () => text`Check it.` };
  const client = new ApiClient(settings, recordingContext({}));
  return await client.read(new URL("/it", address), ThingSchema).catch((error: unknown) => error);
}

test.each([
  ["is not JSON", 200, "<html>", "not JSON"],
  ["lacks what is needed, which the message names", 200, '{"id": 7}', "id is not"],
])("a successful response that %s is an error", async (_what, status, body, fact) => {
  const error = await readOf(status, body);

  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ status, message: expect.stringContaining(fact) });
});

test("every error has the hint of the API's owner", async () => {
  const hint = text`Check it.`;
  const settings = { headers: {}, requestTimeoutMs: 10_000, retryMs: 0, hintFor: () => hint };
  const client = new ApiClient(settings, recordingContext({}));
  const closed = await serve(({ socket }) => socket.destroy());

  await expect(client.read(new URL(closed), ThingSchema)).rejects.toMatchObject({
    status: 0,
    ending: { hint },
  });
  expect(await readOf(503, "{}")).toMatchObject({ status: 503, ending: { hint } });
  expect(await readOf(302, "{}")).toMatchObject({ status: 302, ending: { hint } });
  expect(await readOf(200, "{}")).toMatchObject({ status: 200, ending: { hint } });
});

test("the delay that a refusal asks for is read from its header", async () => {
  expect(await readOf(503, "{}", { "retry-after": "7" })).toMatchObject({ status: 503, retryAfterMs: 7000 });
});
