import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { redactorFor } from "../../src/inputs/masks.ts";
import { hiding } from "../../src/text/redact.ts";
import { apiKey, deploymentSecrets, encodings, leaksIn, secretsInput } from "./support/canaries.ts";

describe("a secret is taken out of a text that holds it", () => {
  test.each(Object.entries(encodings))("%s", (_name, encode) => {
    const words = fc.constantFrom("", "a", "ab", "abc", " and ", '"', "<p>", "ä");
    // What is made of asterisks can't be told from what stands in its place.
    const secret = fc
      .string({ unit: "grapheme", minLength: 4 })
      .filter((text) => !/[*\r\n]|^\s|\s$/.test(text));
    fc.assert(
      fc.property(words, secret, words, (before, value, after) => {
        const text = hiding([value])(encode(before + value + after));
        expect(text).toContain("***");
        expect(text).not.toContain(encode(value).replaceAll(/^"|"$|=+$|^text=/g, ""));
        expect(leaksIn(text, { value })).toEqual([]);
      }),
    );
  });
});

test("stretches that overlap or touch become one", () => {
  const hide = hiding(["secret", "retire", "abcd", "cdef"]);
  expect(hide("a secretire of secret and secretsecret")).toBe("a *** of *** and ***");
  expect(hide("secret")).toBe("***");
  expect(hide("abcdef, abcd-cdef")).toBe("***, ***-***");
});

test("what stands before an address' host is a password, whoever gave it", () => {
  const hide = hiding([]);
  expect(hide("https://x-access-token:ghp_1@github.com/a/b.git: not found")).toBe(
    "https://***@github.com/a/b.git: not found",
  );
  expect(hide("ssh://token@host/ and https://host/@user/a:b@c, mail@host")).toBe(
    "ssh://***@host/ and https://host/@user/a:b@c, mail@host",
  );
});

test("a text without secrets stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(hiding([])(text)).toBe(text);
      expect(hiding(["canary-value"])(text)).toBe(text);
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
