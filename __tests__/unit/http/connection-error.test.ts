import { describe, expect, test } from "@jest/globals";
import { retryableRead, retryableWrite } from "../../../src/http/api-client.ts";
import { connectionError } from "../../../src/http/connection-error.ts";

function requestTo(address: string, method = "GET") {
  return { method, url: new URL(address), urlInput: "the_url", timeoutInput: "the_timeout" };
}

describe("what a proxy refuses surely had no effect", () => {
  test.each([403, 407, 502])("%d", (status) => {
    const cause = new Error(`tunneling socket could not be established, statusCode=${status}`);
    const request = requestTo("https://agents.example/v2/deployments", "POST");
    const error = connectionError(request, Object.assign(cause, { code: "ECONNRESET" }));
    expect(error).toMatchObject({ sent: false, cause, hint: expect.stringContaining("HTTPS_PROXY") });
    expect(error.message).toContain(`the proxy refused the connection with ${status}`);
    // Another user or password is for people to give.
    expect(retryableWrite(error)).toEqual(status === 407 ? undefined : {});
    expect(retryableRead(error)).toEqual(status === 407 ? undefined : {});
  });
});

describe("whether a request was sent is known by the error's code", () => {
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
  ])("%s: %p", (code, sent) => {
    const cause = Object.assign(new Error("words"), { code });
    const request = requestTo("http://127.0.0.1/");
    expect(connectionError(request, cause)).toMatchObject({ sent, cause });
    // A host of several addresses.
    const several = new AggregateError([cause, new Error("other")]);
    expect(connectionError(request, several)).toMatchObject({
      sent,
      message: `GET /: the connection failed: ${code}.`,
    });
  });

  test.each([
    ["connect", false],
    ["write", true],
    ["read", true],
  ])("an unreachable host, at a %s: %p", (syscall, sent) => {
    const cause = Object.assign(new Error("words"), { code: "EHOSTUNREACH", syscall });
    expect(connectionError(requestTo("http://127.0.0.1/"), cause)).toMatchObject({ sent });
  });

  test("what is no error was sent, too", () => {
    expect(connectionError(requestTo("http://127.0.0.1/"), "odd")).toMatchObject({
      sent: true,
      message: "GET /: the connection failed: odd.",
    });
  });
});
