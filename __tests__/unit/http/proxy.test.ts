import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { isProxied, proxyVariable, proxyWarnings } from "../../../src/http/proxy.ts";

const variables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];

function unset(): void {
  for (const name of variables) delete process.env[name];
}

beforeEach(unset);
afterEach(unset);

const http = new URL("http://control-plane.invalid/v2");
const https = new URL("https://control-plane.invalid/v2");

describe("a proxy that can't be used is warned of, by its variable and not by its value", () => {
  test.each([
    ["no scheme, as curl takes it", "proxy.corp.example:3128"],
    ["no scheme, with a password", "puser:pass-of-proxy@127.0.0.1:1"],
    ["a raw % in the password", "http://puser:100%pass-of-proxy@127.0.0.1:1"],
    ["what is no address at all", "100%pass-of-proxy@127 x"],
    ["a scheme and no host", "http://"],
  ])("%s", (_what, value) => {
    process.env.HTTP_PROXY = value;
    const [warning, ...others] = proxyWarnings();
    expect(others).toEqual([]);
    expect(warning).toMatch(
      /^HTTP_PROXY is set, but can't be used: requests to http: addresses .*http:\/\/.*percent-encoded\.$/,
    );
    expect(warning).not.toMatch(/pass-of-proxy|puser|corp|127/);
    expect(isProxied(http)).toBe(false);
  });

  test("of each kind of address", () => {
    process.env.https_proxy = "proxy.corp.example:3128";
    process.env.HTTP_PROXY = "proxy.corp.example:3128";
    expect(proxyWarnings().map((warning) => warning.split(" ")[0])).toEqual(["HTTP_PROXY", "https_proxy"]);
  });
});

describe("nothing is warned of", () => {
  test.each([
    "http://127.0.0.1:3128",
    "https://builder:p%40ss%25@proxy.corp.example",
    // Without a scheme the toolkit takes what can't be an address of another one.
    "127.0.0.1:3128",
  ])("where it can be used: %s", (value) => {
    process.env.HTTPS_PROXY = value;
    expect(proxyWarnings()).toEqual([]);
    expect(isProxied(https)).toBe(true);
    expect(isProxied(http)).toBe(false);
  });

  test("where none is set", () => expect(proxyWarnings()).toEqual([]));

  test("where NO_PROXY names every host", () => {
    process.env.HTTPS_PROXY = "proxy.corp.example:3128";
    process.env.NO_PROXY = "*";
    expect(proxyWarnings()).toEqual([]);
  });
});

test("what NO_PROXY names isn't asked through the proxy", () => {
  process.env.HTTPS_PROXY = "http://127.0.0.1:3128";
  process.env.NO_PROXY = "control-plane.invalid";
  expect(isProxied(https)).toBe(false);
});

test("the variable is that of the address's scheme, in small letters where both are set", () => {
  expect([proxyVariable("http:"), proxyVariable("https:")]).toEqual(["HTTP_PROXY", "HTTPS_PROXY"]);
  for (const name of variables) process.env[name] = "http://127.0.0.1:3128";
  expect([proxyVariable("http:"), proxyVariable("https:")]).toEqual(["http_proxy", "https_proxy"]);
});
