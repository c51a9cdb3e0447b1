import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { isProxied, proxyRefusal, proxyVariable, proxyWarnings } from "../../../src/http/proxy.ts";
import { rawText } from "../../../src/text/message.ts";

const variables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];
const http = new URL("http://control-plane.invalid/v2");
const https = new URL("https://control-plane.invalid/v2");

function warnings(): string[] {
  return proxyWarnings().map(rawText);
}

function unsetAll(): void {
  for (const name of variables) delete process.env[name];
}

beforeEach(unsetAll);
afterEach(unsetAll);

describe("a warning", () => {
  test.each([
    ["has no scheme, as curl accepts it", "proxy.corp.example:3128"],
    ["has no scheme, but a password", "puser:pass-of-proxy@127.0.0.1:1"],
    ["has an unencoded % in its password", "http://puser:100%pass-of-proxy@127.0.0.1:1"],
    ["is no address at all", "100%pass-of-proxy@127 x"],
    ["has a scheme but no host", "http://"],
  ])("names the variable of a proxy that %s, and does not quote its value", (_what, value) => {
    process.env.HTTP_PROXY = value;

    expect(warnings()).toEqual([expect.stringMatching(/^HTTP_PROXY .* http: .*http:\/\/.*percent-encoded/)]);
    expect(warnings().join()).not.toMatch(/pass-of-proxy|puser|corp|127/);
    expect(isProxied(http)).toBe(false);
  });

  test("is given for each scheme, for the variable that is set", () => {
    process.env.https_proxy = "proxy.corp.example:3128";
    process.env.HTTP_PROXY = "proxy.corp.example:3128";

    expect(warnings().map((warning) => warning.split(" ")[0])).toEqual(["HTTP_PROXY", "https_proxy"]);
  });

  test.each([
    "http://127.0.0.1:3128",
    "https://builder:p%40ss%25@proxy.corp.example",
    // The toolkit accepts what can't be an address of another scheme.
    "127.0.0.1:3128",
  ])("is not given for the usable proxy %s", (value) => {
    process.env.HTTPS_PROXY = value;

    expect(proxyWarnings()).toEqual([]);
    expect([isProxied(https), isProxied(http)]).toEqual([true, false]);
  });

  test("is not given if no proxy is set, or if NO_PROXY names every host", () => {
    expect(proxyWarnings()).toEqual([]);

    process.env.HTTPS_PROXY = "proxy.corp.example:3128";
    process.env.NO_PROXY = "*";

    expect(proxyWarnings()).toEqual([]);
  });
});

test("a host in NO_PROXY is reached directly", () => {
  process.env.HTTPS_PROXY = "http://127.0.0.1:3128";
  process.env.NO_PROXY = "control-plane.invalid";

  expect(isProxied(https)).toBe(false);
});

test("the variable of a proxy is that of the scheme, in lower case if both are set", () => {
  expect([proxyVariable("http:"), proxyVariable("https:")]).toEqual(["HTTP_PROXY", "HTTPS_PROXY"]);

  for (const name of variables) process.env[name] = "http://127.0.0.1:3128";

  expect([proxyVariable("http:"), proxyVariable("https:")]).toEqual(["http_proxy", "https_proxy"]);
});

test.each<[unknown, number | undefined]>([
  [new Error("tunneling socket could not be established, statusCode=403"), 403],
  [
    new Error("failed", { cause: new Error("tunneling socket could not be established, statusCode=407") }),
    407,
  ],
  [new Error("tunneling socket could not be established, cause=403"), undefined],
  ["statusCode=403", undefined],
])("the status with which a proxy refused a tunnel is read from %p: %p", (error, status) => {
  expect(proxyRefusal(error)).toBe(status);
});
