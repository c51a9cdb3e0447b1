import { describe, expect, test } from "@jest/globals";
import { InputErrors } from "../../../src/inputs/errors.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { readBaseUrl } from "../../../src/inputs/url.ts";
import { recordingPorts } from "../../support/recording-ports.ts";

function read(url: string, allowHttp = ""): { href: string; problem: string | undefined } {
  const reader = new InputReader({ INPUT_URL: url, INPUT_ALLOW_HTTP: allowHttp });
  const { href } = readBaseUrl(reader, "url");
  try {
    reader.finish(recordingPorts({}).log);
  } catch (error) {
    if (error instanceof InputErrors) return { href, problem: [error.message, ...error.items].join(" ") };
    throw error;
  }
  return { href, problem: undefined };
}

describe("an address that is fine", () => {
  test.each([
    ["https://agents.example.com", "https://agents.example.com/"],
    [" https://agents.example.com/api-host/ ", "https://agents.example.com/api-host/"],
    ["HTTPS://Agents.Example.com", "https://agents.example.com/"],
    ["https://agents.example.com:8443/a", "https://agents.example.com:8443/a"],
    ["http://localhost:8124", "http://localhost:8124/"],
    ["http://sub.localhost", "http://sub.localhost/"],
    ["http://127.0.0.1:8124", "http://127.0.0.1:8124/"],
    ["http://127.8.9.10", "http://127.8.9.10/"],
    ["http://[::1]:8124", "http://[::1]:8124/"],
  ])("%s", (url, href) => expect(read(url)).toEqual({ href, problem: undefined }));

  test("http, with allow_http", () => {
    expect(read("http://agents.internal/x", "true")).toEqual({
      href: "http://agents.internal/x",
      problem: undefined,
    });
  });
});

describe("an address that is refused, with the reason and without being shown", () => {
  test.each([
    ["", "has to be given"],
    ["agents.example.com/not-to-be-seen", "starts with https://"],
    ["ftp://agents.example.com/not-to-be-seen", "starts with https://"],
    ["javascript:alert('not-to-be-seen')", "starts with https://"],
    ["https://", "starts with https://"],
    ["https://a b/not-to-be-seen", "starts with https://"],
    ["https://user@agents.example.com/not-to-be-seen", "user name or password"],
    ["https://:not-to-be-seen@agents.example.com", "user name or password"],
    ["https://agents.example.com/?key=not-to-be-seen", "query"],
    ["https://agents.example.com/?", "query"],
    ["https://agents.example.com/#not-to-be-seen", "fragment"],
    ["https://agents.example.com/#", "fragment"],
    ["http://agents.example.com/not-to-be-seen", "allow_http: true"],
    ["http://10.0.0.1", "allow_http: true"],
    ["http://localhost.example.com", "allow_http: true"],
    ["http://127.0.0.1.example.com", "allow_http: true"],
    ["http://[::2]", "allow_http: true"],
  ])("%s: %s", (url, reason) => {
    const { problem } = read(url);
    expect(problem).toContain("Input url ");
    expect(problem).toContain(reason);
    expect(problem).not.toContain("not-to-be-seen");
  });

  test("all of the reasons at once", () => {
    const { problem } = read("http://a:not-to-be-seen@agents.example.com/?key=not-to-be-seen#x");
    expect(problem).toMatch(/user name or password.*query.*fragment.*allow_http: true/);
    expect(problem).not.toContain("not-to-be-seen");
  });

  test("with a password even if http is allowed", () => {
    expect(read("http://a:b@agents.internal", "true").problem).toContain("user name or password");
  });
});
