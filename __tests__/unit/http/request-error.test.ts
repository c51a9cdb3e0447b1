import { describe, expect, test } from "@jest/globals";
import { connectionFailure, hasStatus } from "../../../src/http/request-error.ts";
import { retryIdempotent, retryIfNoEffect } from "../../../src/http/retry.ts";
import { code, rawText, text } from "../../../src/text/message.ts";
import { badResponse } from "./support/failed.ts";
import { requestTo } from "./support/request-to.ts";

const request = requestTo("http://127.0.0.1/");

test.each([403, 407, 502])("a request that a proxy refused with %d was not sent", (status) => {
  const words = `Proxy response (${status}) !== 200 when HTTP Tunneling`;
  const thrown = Object.assign(new Error(words), { code: "UND_ERR_ABORTED" });

  const error = connectionFailure(requestTo("https://agents.example/v2", { method: "POST" }), thrown);

  expect(error).toMatchObject({ status: 0, mayHaveReachedServer: false, isPermanent: status === 407 });
  expect(error.cause).toBe(thrown);
  expect(error.message).toContain(`POST /v2: the proxy refused the connection with ${status}`);
  expect(rawText(error.ending.hint)).toContain("HTTPS_PROXY");
  for (const retry of [retryIdempotent, retryIfNoEffect]) expect(retry(error)).toBe(true);
});

test.each([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])("a request that ends with %s was not sent, and its hint is about the certificate", (code) => {
  const thrown = Object.assign(new Error("words"), { code });

  const error = connectionFailure(requestTo("https://agents.example/v2", { method: "POST" }), thrown);

  expect(error).toMatchObject({ mayHaveReachedServer: false, cause: thrown });
  expect(rawText(error.ending.hint)).toMatch(/certificate of agents\.example .*NODE_EXTRA_CA_CERTS/);
  expect(rawText(error.ending.hint)).not.toContain("PROXY");
});

test("the hint of a request without a response comes from its owner, who knows that there is none", () => {
  const hintFor = (failure: object) => text`${code(JSON.stringify(failure))}`;

  const error = connectionFailure({ ...request, hintFor }, new Error("words"));

  expect(rawText(error.ending.hint)).toBe('{"status":0,"isTimeout":false,"isFromApi":false}');
});

test("only an error of a request has the status of a response", () => {
  expect(hasStatus(badResponse(404), 403, 404)).toBe(true);
  expect(hasStatus(badResponse(404), 403)).toBe(false);
  expect(hasStatus(Object.assign(new Error("words"), { status: 404 }), 404)).toBe(false);
});

test("a connection error with a numeric code is an error like others", () => {
  const thrown = Object.assign(new Error("words"), { code: 7 });

  expect(connectionFailure(request, thrown)).toMatchObject({ mayHaveReachedServer: true, cause: thrown });
});

describe("a connection error", () => {
  test.each([
    ["ENOTFOUND", "getaddrinfo", false],
    ["EAI_FAIL", "getaddrinfo", false],
    ["ECONNREFUSED", "connect", false],
    ["ETIMEDOUT", "connect", false],
    ["EADDRNOTAVAIL", "connect", false],
    ["EHOSTUNREACH", "connect", false],
    ["EHOSTUNREACH", "write", true],
    ["ETIMEDOUT", "read", true],
    ["ECONNRESET", "read", true],
    ["UND_ERR_CONNECT_TIMEOUT", undefined, false],
    ["UND_ERR_INVALID_ARG", undefined, false],
    ["ERR_INVALID_URL", undefined, false],
    ["UND_ERR_SOCKET", undefined, true],
    ["SOMETHING_NEW", undefined, true],
  ])("with code %s during %s says whether the request was sent: %p", (code, syscall, sent) => {
    const cause = Object.assign(new Error("words"), { code, syscall });
    const ofSeveralAddresses = new AggregateError([cause, new Error("other")]);

    expect(connectionFailure(request, cause)).toMatchObject({ mayHaveReachedServer: sent, cause });
    expect(connectionFailure(request, ofSeveralAddresses)).toMatchObject({
      mayHaveReachedServer: sent,
      cause,
    });
  });
});
