import { expect, test } from "@jest/globals";
import { ApiClient } from "../../../src/http/api-client.ts";
import { controlPlaneHints, createHintFor } from "../../../src/platform/hints.ts";
import { type LogPage, openLog } from "../../../src/platform/revision-log.ts";
import { linesOf } from "../../../src/text/strings.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";
import { deploymentId, revisionId } from "../support/wire.ts";

const log = { deploymentId: deploymentId("d"), revisionId: revisionId("r"), type: "build" } as const;

/** The page that is read from this response. */
async function pageOf(body: unknown): Promise<LogPage> {
  const url = await serve((_, response) => void response.end(JSON.stringify(body)));
  const settings = {
    url: new URL(url),
    headers: {},
    requestTimeoutMs: 5000,
    retryMs: 0,
    hintFor: createHintFor(controlPlaneHints, undefined),
  };
  const api = new ApiClient(settings, recordingContext({}));
  return await openLog(api, log)({ order: "desc", limit: 10 });
}

async function messagesOf(...logs: unknown[]): Promise<readonly string[]> {
  return (await pageOf({ logs })).messages;
}

test.each<[string, unknown, string]>([
  ["time, level and message", { timestamp: "2026-03-02T12:00:00Z", level: "ERROR", message: "x" }, "x"],
  ["null as message", { message: null }, ""],
  ["no message", { text: "x" }, ""],
])("an entry may have %s", async (_what, item, message) => {
  expect(await messagesOf(item)).toEqual([message]);
});

test("null is a log without entries", async () => {
  expect(await pageOf({ logs: null })).toEqual({ messages: [], nextOffset: undefined });
});

test.each([
  ["several lines", "a\nb\r\nc", ["a", "b", "c"]],
  ["a line that is drawn again, because a secret may be broken there", "1 %\r2 %\r\n", ["1 %", "2 %"]],
  ["indented lines", "a\n  b\n\tc", ["a", "  b", "\tc"]],
  ["blank lines, which are dropped", "\n \n\na\n\n", ["a"]],
])("a message may have %s", (_what, message, lines) => {
  expect(linesOf([message])).toEqual(lines);
});

test.each<[string, unknown, string | undefined]>([
  ["is the cursor that the platform shows", { logs: [], next_offset: "abc" }, "abc"],
  ["is not known if it is null", { logs: [], next_offset: null }, undefined],
  ["is not known if it is empty", { logs: [], next_offset: "" }, undefined],
  ["is not known if it is something else", { logs: [], next_offset: { a: 1 } }, undefined],
])("the offset of the next page %s", async (_what, body, nextOffset) => {
  expect(await pageOf(body)).toEqual({ messages: [], nextOffset });
});
