import { describe, expect, test } from "@jest/globals";
import { maskSecretInputs, redactorFor } from "../../../src/inputs/masks.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { environmentOf, type Texts } from "./support/reading.ts";

describe("masks", () => {
  function masksOf(inputs: Texts): readonly string[] {
    const { env, log, recorded } = recordingContext(environmentOf(inputs));
    maskSecretInputs(env, log);
    expect(recorded.lines).toEqual([]);
    return recorded.masks;
  }

  test("cover every input that holds a secret, and no other", () => {
    const inputs = {
      api_key: "key-key",
      github_token: "tok-tok",
      bearer_token: "bear-er",
      client_secret: "cli-ent",
      secrets: "A=value-a\nB=value-b",
      workspace_id: "workspace",
      client_id: "client",
      name: "agent",
    };
    expect(masksOf(inputs)).toEqual(["key-key", "tok-tok", "bear-er", "cli-ent", "value-a", "value-b"]);
  });

  test.each<[string, Texts, string[]]>([
    ["none without secrets", {}, []],
    ["none of empty ones", { api_key: "", github_token: " \n", secrets: "A=" }, []],
    ["the whole and each line", { client_secret: "first\nsecond" }, ["first\nsecond", "first", "second"]],
    ["the lines of JSON's values", { secrets: '{"A": "one 1\\ntwo 2"}' }, ["one 1\ntwo 2", "one 1", "two 2"]],
    [
      "a value with its blanks, and without",
      { api_key: " key-key\n" },
      [" key-key\n", " key-key", "key-key"],
    ],
    ["nothing under 4 characters", { api_key: "abc", secrets: "A=abc\nB=abcd" }, ["abcd"]],
    ["no boolean", { api_key: "true", client_secret: "False", secrets: "A=TRUE" }, []],
    ["each once", { api_key: "same", bearer_token: "same", secrets: "A=same\nB=same" }, ["same"]],
    [
      "what stands among mistakes",
      { secrets: "oops\n1B=value-b\nC<<E\nvalue-c\nE\nD<<E" },
      ["value-b", "value-c"],
    ],
  ])("are %s", (_what, inputs, masks) => {
    expect(masksOf(inputs)).toEqual(masks);
  });
});

describe("what is taken out of text", () => {
  const eleven = "eleven-char";
  const twelve = "twelve-chars";
  const both = `https://x.example/${eleven}/${twelve}`;

  test("are credentials, of words and of values, however short", () => {
    const redact = redactorFor(
      environmentOf({
        api_key: "key-1",
        github_token: "tok-1",
        bearer_token: "bear-1",
        client_secret: "cli-1",
        name: "key-1-agent",
      }),
    );
    const text = "key-1 tok-1 bear-1 cli-1 abc";
    expect(redact.words(text)).toBe("*** *** *** *** abc");
    expect(redact.value(text)).toBe("*** *** *** *** abc");
  });

  test("are lines of a secret, too", () => {
    const redact = redactorFor(environmentOf({ secrets: "A<<E\nfirst-of-two-lines\nsecond-of-two\nE" }));
    const text = "a second-of-two, a first-of-two-lines";
    expect(redact.words(text)).toBe("a ***, a ***");
    expect(redact.value(text)).toBe("a ***, a ***");
  });

  test("is nothing where there are no secrets", () => {
    const redact = redactorFor({});
    expect(redact.words(both)).toBe(both);
    expect(redact.value(both)).toBe(both);
  });

  const secrets = `A=${eleven}\nB=${twelve}`;

  test("of a value, a secret too short to be told from chance stays", () => {
    const redact = redactorFor(environmentOf({ secrets }));
    expect(redact.words(both)).toBe("https://x.example/***/***");
    expect(redact.value(both)).toBe(`https://x.example/${eleven}/***`);
  });

  test.each<[string, Texts]>([
    ["the repository", { GITHUB_REPOSITORY: `octo-org/${twelve}` }],
    ["the server", { GITHUB_SERVER_URL: `https://${twelve}.example` }],
    ["the ref", { GITHUB_REF: `refs/heads/${twelve}` }],
    ["the pull request's branch", { GITHUB_HEAD_REF: twelve }],
    ["the deployment's id", environmentOf({ deployment_id: twelve })],
    ["the deployment's name", environmentOf({ name: `${twelve}-1` })],
    ["the environment", environmentOf({ environment: twelve })],
    ["the deployment's address", environmentOf({ custom_url: `https://${twelve}.example` })],
  ])("of a value, a secret that %s repeats stays", (_what, shown) => {
    const redact = redactorFor({ ...environmentOf({ secrets }), ...shown });
    expect(redact.words(both)).toBe("https://x.example/***/***");
    expect(redact.value(both)).toBe(both);
  });

  test.each<[string, Texts]>([
    ["an address with a password", environmentOf({ custom_url: `https://me:${twelve}@x.example` })],
    ["an address with a query", environmentOf({ custom_url: `https://x.example/?key=${twelve}` })],
    ["an address with a fragment", environmentOf({ custom_url: `https://x.example/#${twelve}` })],
    ["an input that isn't shown", environmentOf({ resource_spec: twelve })],
    ["a variable of another kind", { GITHUB_ACTOR: twelve }],
    ["a part of it only", environmentOf({ name: twelve.slice(1) })],
  ])("of a value, a secret goes that is repeated in %s", (_what, hidden) => {
    const redact = redactorFor({ ...environmentOf({ secrets }), ...hidden });
    expect(redact.value(both)).toBe(`https://x.example/${eleven}/***`);
  });

  test("of a value, each secret is judged by itself", () => {
    const repeated = { secrets: `A=${twelve}\nB=another-secret`, name: twelve };
    expect(redactorFor(environmentOf(repeated)).value(`${twelve} another-secret`)).toBe(`${twelve} ***`);
  });
});
