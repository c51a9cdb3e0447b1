import { expect, test } from "@jest/globals";
import { connectionFailure, hasStatus } from "../../../src/http/request-error.ts";
import { code, rawText, text } from "../../../src/text/message.ts";
import { badResponse } from "./support/failed.ts";
import { requestTo } from "./support/request-to.ts";

const request = requestTo("https://agents.example/v2", { method: "POST" });

test("the error of a connection quotes the proxy that refused it, and says what to check", () => {
  const thrown = new Error("Proxy response (407) !== 200 when HTTP Tunneling");

  const error = connectionFailure(request, thrown, false);

  expect(error).toMatchObject({ reason: { kind: "proxy", wasSent: false }, cause: thrown });
  expect(error.message).toBe(
    "POST /v2: the connection failed: Proxy response (407) !== 200 when HTTP Tunneling.",
  );
  expect(rawText(error.ending.hint)).toMatch(/reach agents\.example.*HTTPS_PROXY/);
});

test("an error of a host with several addresses quotes each different one", () => {
  const errors = [new Error("refused by a"), new Error("refused by b"), new Error("refused by a")];

  const error = connectionFailure(request, new AggregateError(errors), true);

  expect(error).toMatchObject({ reason: { wasSent: true } });
  expect(error.message).toContain("the connection failed: refused by a, refused by b.");
});

test.each([
  "self-signed certificate in certificate chain",
  "unable to verify the first certificate",
  "certificate has expired",
  "Hostname/IP does not match certificate's altnames: Host: agents.example",
])("the hint after %j is about the certificate", (words) => {
  const hint = rawText(connectionFailure(request, new Error(words), false).ending.hint);

  expect(hint).toMatch(/certificate of agents\.example .*NODE_EXTRA_CA_CERTS/);
  expect(hint).not.toContain("PROXY");
});

test("the hint of a request without a response comes from its owner, who knows that there is none", () => {
  const hintFor = (failure: object) => text`${code(JSON.stringify(failure))}`;

  const error = connectionFailure({ ...request, hintFor }, new Error("words"), true);

  expect(rawText(error.ending.hint)).toBe('{"kind":"connection","wasSent":true}');
});

test("only an error of a request has the status of a response", () => {
  expect(hasStatus(badResponse(404), 403, 404)).toBe(true);
  expect(hasStatus(badResponse(404), 403)).toBe(false);
  expect(hasStatus(Object.assign(new Error("words"), { status: 404 }), 404)).toBe(false);
});
