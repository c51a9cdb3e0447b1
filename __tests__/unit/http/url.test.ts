import { expect, test } from "@jest/globals";
import { isUnprotected, urlBelow } from "../../../src/http/url.ts";

test.each([
  ["https://host.example", false],
  ["http://host.example", true],
  ["http://127.0.0.1:8124", false],
  ["http://127.1.2.3", false],
  ["http://127.example.com", true],
  ["http://128.0.0.1", true],
  ["http://[::1]:8124", false],
  ["http://[::2]", true],
  ["http://localhost", false],
  ["http://agent.localhost", false],
  ["http://localhost.example", true],
  ["http://notlocalhost", true],
])("whether others can read what is sent to %s: %p", (url, unprotected) => {
  expect(isUnprotected(new URL(url))).toBe(unprotected);
});

test.each([
  ["https://host.example", "https://host.example/v2/x?y=z"],
  ["https://host.example//", "https://host.example/v2/x?y=z"],
  ["https://host.example/api-host/", "https://host.example/api-host/v2/x?y=z"],
])("a path below %s keeps the path of that URL", (base, expected) => {
  expect(urlBelow(new URL(base), "/v2/x?y=z").href).toBe(expected);
});
