import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { redactorFor } from "../../src/inputs/masks.ts";
import { createRedactor } from "../../src/text/redact.ts";
import {
  apiKey,
  deploymentSecrets,
  encodings,
  leaksIn,
  secretsInput,
  spreadings,
} from "./support/canaries.ts";

describe("a secret is taken out of a text that holds it", () => {
  test.each(Object.entries(encodings))("%s", (_name, encode) => {
    const words = fc.constantFrom("", "a", "ab", "abc", " and ", '"', "<p>", "ä");
    // What is made of asterisks can't be told from what stands in its place.
    const secret = fc
      .string({ unit: "grapheme", minLength: 4 })
      .filter((text) => !/[*\r\n]|^\s|\s$/.test(text));
    fc.assert(
      fc.property(words, secret, words, (before, value, after) => {
        const text = createRedactor([value])(encode(before + value + after));
        expect(text).toContain("***");
        expect(text).not.toContain(encode(value).replaceAll(/^"|"$|=+$|^text=/g, ""));
        expect(leaksIn(text, { value })).toEqual([]);
      }),
    );
  });
});

describe("a secret is taken out of a text that spreads it", () => {
  test.each(Object.entries(spreadings))("%s", (_name, spread) => {
    const words = fc.constantFrom("", "a", "ab", "abc", ": ", '"', "<p>", "ä");
    const secret = fc
      .string({ unit: "grapheme", minLength: 12, maxLength: 200, size: "max" })
      .filter((text) => !/[*]/.test(text) && text.replaceAll(/[^!-~]/g, "").length >= 12);
    fc.assert(
      fc.property(words, secret, words, (before, value, after) => {
        const text = createRedactor([value])(spread(before + value + after));
        expect(text).toContain("***");
        expect(leaksIn(text, { value })).toEqual([]);
      }),
    );
  });

  test("up to its last character, and not further", () => {
    const hide = createRedactor(["abcdefghijklmnop"]);
    expect(hide("a key: abcdefgh\n  ijkl\u200bmnop \n is none")).toBe("a key: *** \n is none");
    expect(hide("a key\\u003a\\u0061bcdefgh\\r\\nijklmno\\u0070\\u0020is none")).toBe(
      "a key\\u003a***\\u0020is none",
    );
    expect(hide("key=%61b%63defghijklmn&#111;p%20")).toBe("key=***%20");
    expect(hide("6162636465666768 696a6b6c6d6e6f70: none")).toBe("***: none");
    expect(hide("61:62:63:64:65:66:67:68:69:6a:6b:6c:6d:6e:6f:70:71")).toBe("***:71");
  });

  test("but not where a short one only seems to be", () => {
    expect(createRedactor(["late star"])("the la test are late stars")).toBe("the la test are ***s");
    expect(createRedactor(["abcdefghijk"])("abcdef ghijk")).toBe("abcdef ghijk");
    expect(createRedactor(["abcdefghijkl"])("abcdef ghijkl")).toBe("***");
  });
});

test("stretches that overlap or touch become one", () => {
  const hide = createRedactor(["secret", "retire", "abcd", "cdef"]);
  expect(hide("a secretire of secret and secretsecret")).toBe("a *** of *** and ***");
  expect(hide("secret")).toBe("***");
  expect(hide("abcdef, abcd-cdef")).toBe("***, ***-***");
});

test("what stands before an address' host is a password, whoever gave it", () => {
  const hide = createRedactor([]);
  expect(hide("https://x-access-token:ghp_1@github.com/a/b.git: not found")).toBe(
    "https://***@github.com/a/b.git: not found",
  );
  expect(hide("ssh://token@host/ and https://host/@user/a:b@c, mail@host")).toBe(
    "ssh://***@host/ and https://host/@user/a:b@c, mail@host",
  );
});

test("such a password goes where the address stands escaped, too", () => {
  const hide = createRedactor([]);
  expect(hide('{"url":"https:\\/\\/me:ghp_1@github.com\\/a"}')).toBe(
    '{"url":"https:\\/\\/***@github.com\\/a"}',
  );
  expect(hide("?to=https%3A%2F%2Fme%3Aghp_1%40github.com%2Fa")).toBe(
    "?to=https%3A%2F%2F***%40github.com%2Fa",
  );
});

test("a long text is looked through in time, whatever it is made of", () => {
  const secrets = Array.from({ length: 100 }, (_, index) => `${apiKey}-${index}`);
  const hide = createRedactor(secrets);
  const mixed = "%5C%26amp%3B&#92;u0026\\u0025\\\\%2526&amp;lt; ";
  for (const part of ["%25", "\\", "&amp;", " ", "\n:", "://", mixed, apiKey, [...apiKey].join(" ")]) {
    expect(hide(`${part.repeat(50_000 / part.length)} ${secrets[7]}`)).toMatch(/\*\*\*$/);
  }
});

test("a text without secrets stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(createRedactor([])(text)).toBe(text);
      expect(createRedactor(["canary-value"])(text)).toBe(text);
    }),
  );
});

const environment = {
  INPUT_API_KEY: apiKey,
  INPUT_SECRETS: secretsInput,
  GITHUB_REPOSITORY: "octo-org/customer-support-agent",
};

test("words lose every canary, line by line", () => {
  const { words } = redactorFor(environment);
  for (const value of [apiKey, ...Object.values(deploymentSecrets)])
    expect(leaksIn(words(`<${value}>`))).toEqual([]);
  const all = Object.values(deploymentSecrets).join(" and ");
  expect(leaksIn(words(all.replaceAll("\n", " ")))).toEqual([]);
});

describe("an id, a name or an address", () => {
  const { value } = redactorFor({
    ...environment,
    INPUT_SECRETS:
      "PORT=8080\nREGION=europe-1\nAPP=customer-support-agent\nBASE=https://agents.example.com\nKEY=sk-0123456789",
    INPUT_CUSTOM_URL: "https://agents.example.com",
  });

  test("keeps what may be there by chance, and what the run shows anyway", () => {
    const url = "https://agents.example.com:8080/europe-1/customer-support-agent";
    expect(value(url)).toBe(url);
  });

  test("loses credentials, and secrets that can't be there by chance", () => {
    expect(value(`https://x.example/?key=${encodeURIComponent(apiKey)}`)).toBe("https://x.example/?key=***");
    expect(value("https://x.example/sk-0123456789")).toBe("https://x.example/***");
  });
});
