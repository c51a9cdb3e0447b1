import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { maskSecretInputs } from "../../../src/inputs/masks.ts";
import { SecretMasker } from "../../support/runner/secret-masker.ts";
import { environmentOf, type Texts } from "./support/reading.ts";

function masksOf(inputs: Texts): readonly string[] {
  const masks: string[] = [];
  maskSecretInputs(environmentOf(inputs), { mask: (value) => void masks.push(value) });
  return masks;
}

function redactorFor(env: Texts) {
  return maskSecretInputs(env, { mask: () => {} });
}

describe("masks", () => {
  test("cover every input that holds a secret, and no other", () => {
    const inputs = {
      api_key: "key-key",
      github_token: "tok-tok",
      bearer_token: "bear-er",
      client_secret: "cli-ent",
      secrets: "A=value-a\nB=value-b",
      agent_headers: "X-Key: header-value\nX-Env: prod\nAccept: application/json",
      smoke_tests:
        "- name: x\n  headers: { X-Key: test-header, Accept: text/plain, x-short: shorter }\n  request: GET /",
      workspace_id: "workspace",
      client_id: "client",
      name: "agent",
    };

    expect(masksOf(inputs)).toEqual([
      "key-key",
      "tok-tok",
      "bear-er",
      "cli-ent",
      "value-a",
      "value-b",
      "header-value",
      "prod",
      "test-header",
    ]);
  });

  test.each<[string, Texts, string[]]>([
    ["not the workspace's ID", { workspace_id: " workspace\n", secrets: "A=workspace" }, []],
    ["not the workspace's ID after blanks", { workspace_id: "workspace", secrets: "A= workspace" }, []],
    [
      "what may be secret in the path of a health check",
      { health_check_path: "/ok?short=1234567&long=12345678" },
      ["12345678"],
    ],
    ["nothing if there are no secrets", {}, []],
    ["no empty secrets", { api_key: "", github_token: " \n", secrets: "A=" }, []],
    ["the lines of values in JSON", { secrets: '{"A": "one 1\\ntwo 2"}' }, ["one 1", "two 2"]],
    ["equal secrets once", { api_key: "same", bearer_token: "same", secrets: "A=same\nB=same" }, ["same"]],
    [
      "secrets between mistakes",
      { secrets: "oops\n1B=value-b\nC<<E\nvalue-c\nE\nD<<E" },
      ["value-b", "value-c"],
    ],
  ])("cover %s", (_what, inputs, masks) => {
    expect(masksOf(inputs)).toEqual(masks);
  });

  test.each<[string, string, string[]]>([
    [
      "of eight characters",
      "- { name: x, request: GET /, headers: { x-key: 12ab5678, x-short: 12ab567 } }",
      ["12ab5678"],
    ],
    ["beside an invalid one", "- x\n- { name: x, request: GET /, headers: { x-c: 12ab5678 } }", ["12ab5678"]],
  ])("cover a header of a smoke test %s", (_what, smoke_tests, masks) => {
    expect(masksOf({ smoke_tests })).toEqual(masks);
  });

  test.each<[string, string[]]>([
    ["abc", []],
    ["abcd", ["abcd"]],
    ["true", []],
    ["False", []],
    [" true ", []],
    ["    x", []],
    ["untrue", ["untrue"]],
    ["trueish", ["trueish"]],
    ["falsehood", ["falsehood"]],
    ["  padded  ", ["  padded  ", "padded"]],
    ["first\nsecond", ["first", "second"]],
    ["first\n\r\nsecond", ["first", "second"]],
    ["first\r\nab\r\nsecond", ["first", "second"]],
    ['{\n  "a": 1\n}', ['  "a": 1', '"a": 1']],
    ["true\nlonger", ["longer"]],
    ["closed by a line end\n", ["closed by a line end"]],
  ])("of %j are its lines, but nothing that would make the log unreadable", (value, masks) => {
    expect(new Set(masksOf({ client_secret: value }))).toEqual(new Set(masks));
  });

  const values = fc
    .array(fc.oneof(fc.string(), fc.constantFrom("{", "true", "ab", "   x", " true ")), { maxLength: 5 })
    .map((lines) => lines.join("\n"));
  const linesOf = (text: string) => text.split(/[\r\n]/).map((line) => line.trim());
  const isReadable = (line: string) => line.length < 4 || /^(true|false)$/i.test(line);

  test("make the runner hide each line of a secret", () => {
    fc.assert(
      fc.property(values, (value) => {
        const masker = new SecretMasker();
        for (const mask of masksOf({ client_secret: value })) masker.add(mask);

        for (const line of linesOf(value).filter((one) => !isReadable(one))) {
          expect(masker.mask(line)).not.toBe(line);
        }
      }),
    );
  });

  test("contain no line that must stay readable, because the runner masks their lines too", () => {
    fc.assert(
      fc.property(values, (value) => {
        const lines = masksOf({ client_secret: value }).flatMap(linesOf);

        expect(lines.filter((line) => line !== "" && isReadable(line))).toEqual([]);
      }),
    );
  });
});

describe("the redactor of a run", () => {
  const eleven = "eleven-char";
  const twelve = "twelve-chars";
  const both = `https://x.example/${eleven}/${twelve}`;
  const secrets = `A=${eleven}\nB=${twelve}`;

  test("removes credentials from everything, however short they are", () => {
    const credentials = {
      api_key: "key-1",
      github_token: "tok-1",
      bearer_token: "bear-1",
      client_secret: "cli-1",
    };
    const redact = redactorFor(environmentOf({ ...credentials, name: "key-1-agent" }));

    expect(redact.redactText("key-1 tok-1 bear-1 cli-1 abc")).toBe("*** *** *** *** abc");
    expect(redact.redactIdentifier("key-1 tok-1 bear-1 cli-1 abc")).toBe("*** *** *** *** abc");
  });

  test("removes single lines of a secret", () => {
    const redact = redactorFor(environmentOf({ secrets: "A<<E\nfirst-of-two-lines\nsecond-of-two\nE" }));

    expect(redact.redactText("a second-of-two, a first-of-two-lines")).toBe("a ***, a ***");
    expect(redact.redactIdentifier("a second-of-two, a first-of-two-lines")).toBe("a ***, a ***");
  });

  test("removes a credential that it learns of later from everything", () => {
    const redact = redactorFor(environmentOf({ secrets, name: "late-1" }));
    redact.addCredentials([twelve, "late-1"]);

    expect(redact.redactText("late-1 abc")).toBe("*** abc");
    expect(redact.redactIdentifier("late-1 abc")).toBe("*** abc");
  });

  test("keeps short secrets in ids and URLs, but not in text", () => {
    const redact = redactorFor(environmentOf({ secrets }));

    expect(redact.redactText(both)).toBe("https://x.example/***/***");
    expect(redact.redactIdentifier(both)).toBe(`https://x.example/${eleven}/***`);
  });

  test.each<[string, Texts]>([
    ["the repository", { GITHUB_REPOSITORY: `octo-org/${twelve}` }],
    ["the name of a preview", { GITHUB_REPOSITORY: `octo-org/${twelve.toUpperCase()}` }],
    ["the server", { GITHUB_SERVER_URL: `https://${twelve}.example` }],
    ["the ref", { GITHUB_REF: `refs/heads/${twelve}` }],
    ["the branch of the pull request", { GITHUB_HEAD_REF: twelve }],
    ["deployment_id", environmentOf({ deployment_id: twelve })],
    ["name", environmentOf({ name: `${twelve}-1` })],
    ["environment", environmentOf({ environment: twelve })],
    ["workspace_id", environmentOf({ workspace_id: `${twelve}-1` })],
    ["custom_url", environmentOf({ custom_url: `https://${twelve}.example` })],
    ["deployment_url", environmentOf({ deployment_url: `https://${twelve}.example` })],
    ["compare_with_url", environmentOf({ compare_with_url: `https://${twelve}.example` })],
  ])("keeps a secret in ids and URLs that is also in %s", (_what, shown) => {
    const redact = redactorFor({ ...environmentOf({ secrets }), ...shown });

    expect(redact.redactText(both)).toBe("https://x.example/***/***");
    expect(redact.redactIdentifier(both)).toBe(both);
  });

  test.each<[string, Texts]>([
    ["an input that is not shown", environmentOf({ resource_spec: twelve })],
    ["another variable", { GITHUB_ACTOR: twelve }],
    ["an input in part", environmentOf({ name: twelve.slice(1) })],
  ])("removes a secret from ids and URLs that is also in %s", (_what, others) => {
    const redact = redactorFor({ ...environmentOf({ secrets }), ...others });

    expect(redact.redactIdentifier(both)).toBe(`https://x.example/${eleven}/***`);
  });

  test("keeps the workspace's id everywhere, although agents get it as a secret and as a header", () => {
    const inputs = {
      workspace_id: twelve,
      secrets: `A=${twelve}\nB<<E\nfirst line\n${twelve}\nE`,
      agent_headers: `X-Tenant-Id: ${twelve}\nCookie: id=${twelve}`,
      smoke_tests: `- { name: x, request: GET /, headers: { x-tenant-id: ${twelve} } }`,
    };
    const redact = redactorFor(environmentOf(inputs));

    expect(redact.redactText(`${twelve}, first line`)).toBe(`${twelve}, ***`);
    expect(redact.redactIdentifier(twelve)).toBe(twelve);
    expect(masksOf(inputs)).not.toContain(twelve);
  });

  test("decides for each secret by itself", () => {
    const redact = redactorFor(environmentOf({ secrets: `A=${twelve}\nB=another-secret`, name: twelve }));

    expect(redact.redactIdentifier(`${twelve} another-secret`)).toBe(`${twelve} ***`);
  });
});
