import { describe, expect, test } from "@jest/globals";
import { readBaseUrl } from "../../../src/inputs/url.ts";
import { reading } from "./support/reading.ts";

const read = (url: string, allowHttp = "") =>
  reading({ url, allow_http: allowHttp }, (reader) => readBaseUrl(reader, "url").href);

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
  ])("%s", (url, href) => expect(read(url)).toEqual({ result: href, problems: [], remarks: [] }));

  test("http, with allow_http", () => {
    const href = "http://agents.internal/x";
    expect(read(href, "true")).toEqual({ result: href, problems: [], remarks: [] });
  });
});

describe("an address that is refused, with the reason and without being shown", () => {
  const noAddress = "has to be an address that starts with https://";
  const user = "must not hold a user name or password";
  const query = "must not hold a query (the part from the ? on)";
  const fragment = "must not hold a fragment (the part from the # on)";
  const plain =
    "has to start with https://; for a plain http: address of a private network set allow_http: true";

  test.each<[string, string[]]>([
    ["", ["has to be given"]],
    ["agents.example.com", [noAddress]],
    ["ftp://agents.example.com", [noAddress]],
    ["javascript:alert('x')", [noAddress]],
    ["javascript:https://agents.example.com", [noAddress]],
    ["https://", [noAddress]],
    ["https://a b", [noAddress]],
    ["https://user@agents.example.com", [user]],
    ["https://:password@agents.example.com", [user]],
    ["https://agents.example.com/?key=value", [query]],
    ["https://agents.example.com/?", [query]],
    ["https://agents.example.com/#part", [fragment]],
    ["https://agents.example.com/#", [fragment]],
    ["https://agents.example.com/#part?more", [fragment]],
    ["http://agents.example.com", [plain]],
    ["http://10.0.0.1", [plain]],
    ["http://localhost.example.com", [plain]],
    ["http://127.0.0.1.example.com", [plain]],
    ["http://127.example.com", [plain]],
    ["http://[::2]", [plain]],
    ["http://user:password@agents.example.com/?key=value#part", [user, query, fragment, plain]],
  ])("%s", (url, problems) => {
    const { result, problems: told } = read(url);
    expect(told).toEqual(problems.map((problem) => `Input url ${problem}.`));
    expect(result).toBe("https://invalid.invalid/");
  });

  test("with a password even if http is allowed", () => {
    expect(read("http://a:b@agents.internal", "true").problems).toEqual([`Input url ${user}.`]);
  });
});
