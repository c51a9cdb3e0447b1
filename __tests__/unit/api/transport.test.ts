import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { Transport } from "../../../src/http/api-client.ts";
import { UnexpectedAnswerError } from "../../../src/http/response-error.ts";
import { noRetry } from "../../../src/http/retry.ts";
import { controlPlaneHints } from "../../../src/platform/hints.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

const Thing = v.looseObject({ id: v.string() });

/** A transport, and the address of something that it is answered with. */
async function answeredWith(status: number, body: string): Promise<{ transport: Transport; url: URL }> {
  const address = await serve((_request, response) => response.writeHead(status).end(body));
  const settings = { headers: {}, requestTimeoutMs: 10_000, hints: controlPlaneHints };
  return { transport: new Transport(settings, recordingContext({}), noRetry), url: new URL("/it", address) };
}

test("a byte order mark makes no other answer", async () => {
  const { transport, url } = await answeredWith(200, '\ufeff{"id": "x"}');
  expect(await transport.read(url, Thing)).toEqual({ id: "x" });
});

test("an answer that is nested without end is none", async () => {
  const nested = `{"id": "x", "other": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const { transport, url } = await answeredWith(200, nested);
  await expect(transport.read(url, Thing)).rejects.toThrow(UnexpectedAnswerError);
});

test("a part of an answer is none to a read, which never asks for a part", async () => {
  const { transport, url } = await answeredWith(206, '{"id": "x"}');
  const error = await transport.read(url, Thing).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(String(error)).toContain("GET /it was answered with 206, but a part of an answer wasn't asked for.");
});
