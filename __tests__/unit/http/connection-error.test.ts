import { describe, expect, test } from "@jest/globals";
import { ConnectionError, connectionError } from "../../../src/http/connection-error.ts";
import { retryIdempotent, retryIfNotSent } from "../../../src/http/retry.ts";
import { rawText } from "../../../src/text/message.ts";
import { requestTo } from "./support/request-to.ts";

const request = requestTo("http://127.0.0.1/");

test.each([
  [403, true],
  [407, false],
  [502, true],
])("a request that a proxy refused with %d was not sent; retryable: %p", (status, retryable) => {
  const thrown = Object.assign(new Error(`tunneling socket could not be established, statusCode=${status}`), {
    code: "ECONNRESET",
  });

  const error = connectionError(requestTo("https://agents.example/v2", { method: "POST" }), thrown);

  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ sent: false, retryable, cause: thrown });
  expect(error.message).toContain(`POST /v2: the proxy refused the connection with ${status}`);
  expect(rawText(error.ending.hint)).toContain("HTTPS_PROXY");
  for (const retry of [retryIdempotent, retryIfNotSent])
    expect(retry(error)).toEqual(retryable ? {} : undefined);
});

describe("a connection error", () => {
  test.each([
    ["ENOTFOUND", false],
    ["EAI_AGAIN", false],
    ["ECONNREFUSED", false],
    ["EHOSTUNREACH", false],
    ["ENETUNREACH", false],
    ["CERT_HAS_EXPIRED", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false],
    ["SELF_SIGNED_CERT_IN_CHAIN", false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", false],
    ["EPROTO", true],
    ["ERR_SSL_BAD_RECORD_TYPE", true],
    ["ECONNRESET", true],
    ["EPIPE", true],
    ["ETIMEDOUT", true],
    ["ERR_STREAM_PREMATURE_CLOSE", true],
    ["HPE_INVALID_CONSTANT", true],
    ["SOMETHING_NEW", true],
  ])("with code %s says whether the request was sent: %p", (code, sent) => {
    const cause = Object.assign(new Error("words"), { code });
    const ofSeveralAddresses = new AggregateError([cause, new Error("other")]);

    expect(connectionError(request, cause)).toMatchObject({ sent, cause });
    expect(connectionError(request, ofSeveralAddresses)).toMatchObject({
      sent,
      message: expect.stringContaining(code),
    });
  });

  test.each([
    ["connect", false],
    ["write", true],
    ["read", true],
  ])("of an unreachable host during %s says whether the request was sent: %p", (syscall, sent) => {
    const cause = Object.assign(new Error("words"), { code: "EHOSTUNREACH", syscall });

    expect(connectionError(request, cause)).toMatchObject({ sent });
  });

  test("of something that is no Error quotes it, and counts as sent", () => {
    expect(connectionError(request, "odd")).toMatchObject({
      sent: true,
      message: expect.stringContaining("GET /: the connection failed: odd."),
    });
  });
});
