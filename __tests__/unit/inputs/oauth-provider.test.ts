import { describe, expect, test } from "@jest/globals";
import { readProviderInputs } from "../../../src/oauth-provider/inputs.ts";
import { access } from "./support/control-plane.ts";
import { reading, type Texts } from "./support/reading.ts";

const fields = "name, client_id, client_secret, auth_url, token_url, uses_pkce, code_challenge_method";
const needed: Texts = { ...access, provider_id: "login" };

const read = (inputs: Texts) => reading(inputs, readProviderInputs);
const problemsOf = (inputs: Texts) => read({ ...needed, ...inputs }).problems;

describe("what is sent", () => {
  test("is one field, where one is given", () => {
    expect(read({ ...needed, name: " Login " })).toEqual({
      result: {
        controlPlane: {
          url: new URL("https://agents.example/api-host"),
          region: undefined,
          headers: { "x-api-key": "some-key", "x-tenant-id": "some-workspace" },
          requestTimeoutMs: 30_000,
        },
        providerId: "login",
        request: { name: "Login" },
        given: ["name"],
        cleared: [],
      },
      problems: [],
      remarks: [],
    });
  });

  test("are all, where all are given", () => {
    const values = {
      name: "Login",
      client_id: "client-1",
      client_secret: "hush",
      auth_url: "https://login.example/authorize?x=1",
      token_url: "HTTP://login.example/token",
      code_challenge_method: "S256",
    };
    const inputs = { ...needed, ...values, uses_pkce: "false", request_timeout_seconds: "5" };
    const { result, problems } = read(inputs);
    expect(problems).toEqual([]);
    expect(result.request).toEqual({ ...values, uses_pkce: false });
    expect(result.given).toEqual(fields.split(", "));
    expect(result.cleared).toEqual([]);
    expect(result.controlPlane.requestTimeoutMs).toBe(5_000);
  });

  test("is null for what is to be cleared, beside what is given; an empty input is not given", () => {
    const clear = " client_id,uses_pkce\r\n\ncode_challenge_method\nclient_id,";
    const inputs = { ...needed, name: "Login", client_id: "", uses_pkce: " ", token_url: "\n", clear };
    const { result, problems } = read(inputs);
    expect(problems).toEqual([]);
    expect(result).toMatchObject({
      given: ["name"],
      cleared: ["client_id", "uses_pkce", "code_challenge_method"],
    });
    expect(result.request).toEqual({
      name: "Login",
      client_id: null,
      uses_pkce: null,
      code_challenge_method: null,
    });
  });

  test("may be nothing but null", () => {
    expect(problemsOf({ clear: "client_secret" })).toEqual([]);
  });

  test.each<[string, Texts]>([
    ["nothing is given", {}],
    ["a secret doesn't exist", { client_secret: "", clear: " ,\n" }],
  ])("can't be nothing, as where %s", (_what, inputs) => {
    expect(problemsOf(inputs)).toEqual([
      `Input clear or a field (${fields}) has to be given: there is nothing to update (a secret that doesn't exist comes in empty).`,
    ]);
  });
});

describe("a field can't be", () => {
  test("given and cleared", () => {
    const inputs = { name: "Login", auth_url: "https://login.example", clear: "auth_url, token_url, name" };
    expect(problemsOf(inputs)).toEqual([
      "Input auth_url is given and named in the input clear: it can't be both.",
      "Input name is given and named in the input clear: it can't be both.",
    ]);
  });

  test("unknown", () => {
    const inputs = { clear: "clientid\nname\nprovider_id, Name, constructor" };
    expect(problemsOf(inputs)).toEqual([
      `Input clear holds "clientid", which is none of ${fields}.`,
      `Input clear holds "provider_id", which is none of ${fields}.`,
      `Input clear holds "Name", which is none of ${fields}.`,
      `Input clear holds "constructor", which is none of ${fields}.`,
    ]);
  });
});

describe("who asks", () => {
  const { control_plane_url, api_key, workspace_id } = access;
  const inputs = { control_plane_url, provider_id: "login", name: "Login" };
  const keyHeader = { "x-api-key": "some-key" };
  const workspaceHeader = { "x-tenant-id": "some-workspace" };
  const tokenHeader = { authorization: "Bearer some-token" };

  test.each<[string, Texts, Texts]>([
    ["a token", {}, tokenHeader],
    ["a token and a key", { api_key }, { ...keyHeader, ...tokenHeader }],
    ["a token and a workspace", { workspace_id }, { ...workspaceHeader, ...tokenHeader }],
    ["all three", { api_key, workspace_id }, { ...keyHeader, ...workspaceHeader, ...tokenHeader }],
  ])("%s", (_what, others, headers) => {
    const { result, problems } = read({ ...inputs, ...others, bearer_token: " some-token\n" });
    expect(problems).toEqual([]);
    // Strictly: a header of undefined would be sent as a word.
    expect(result.controlPlane.headers).toStrictEqual(headers);
  });

  const noKey = "Input api_key has to be given, or bearer_token.";
  const noWorkspace = "Input workspace_id has to be given, or bearer_token.";
  test.each<[string, Texts, string[]]>([
    ["nothing", {}, [noKey, noWorkspace]],
    ["empty ones", { api_key: "", workspace_id: " ", bearer_token: "\n" }, [noKey, noWorkspace]],
    ["a key without its workspace", { api_key }, [noWorkspace]],
    ["a workspace without a key", { workspace_id }, [noKey]],
  ])("%s isn't enough", (_what, others, problems) => {
    expect(read({ ...inputs, ...others }).problems).toEqual(problems);
  });

  test("isn't shown where it can't be sent", () => {
    const secrets = { api_key: "secret key", workspace_id: "secret\u0000", bearer_token: "Bearer secret" };
    const problem = "holds a blank, a line end or another character that can't be sent in a header";
    expect(read({ ...inputs, ...secrets }).problems).toEqual([
      `Input bearer_token ${problem}.`,
      `Input api_key ${problem}.`,
      `Input workspace_id ${problem}.`,
    ]);
  });
});

describe("an address of the provider", () => {
  test.each(["https://login.example", "http://localhost:8080/a?b#c", "https://user:pass@login.example"])(
    "%s is fine",
    (address) => {
      expect(problemsOf({ auth_url: address })).toEqual([]);
    },
  );

  test.each([
    "login.example",
    "ftp://login.example",
    "https:login.example",
    "https://",
    "https://[",
    "https://login.example/a b",
    "https://login.example/a\nb",
    "see https://login.example",
    "javascript:https://login.example",
  ])("%j is refused", (address) => {
    const problem = "has to be an address that starts with https:// or http:// and holds no blank";
    expect(problemsOf({ auth_url: address, token_url: address })).toEqual([
      `Input auth_url ${problem}.`,
      `Input token_url ${problem}.`,
    ]);
  });
});

describe("the provider's id", () => {
  test("has to be given", () => {
    expect(problemsOf({ name: "Login", provider_id: " " })).toEqual(["Input provider_id has to be given."]);
  });

  test.each([".", ".."])("can't be %s: in a path it would lead elsewhere", (id) => {
    expect(problemsOf({ name: "Login", provider_id: id })).toEqual([
      'Input provider_id can\'t be "." or "..".',
    ]);
  });

  test("may hold dots", () => {
    expect(read({ ...needed, name: "Login", provider_id: "..." })).toMatchObject({
      result: { providerId: "..." },
      problems: [],
    });
  });
});

test("everything that is wrong is told at once, what came in as a secret never", () => {
  const inputs = {
    region: "us",
    client_secret: "hush",
    auth_url: "login",
    uses_pkce: "perhaps",
    clear: "client_secret, secret",
    request_timeout_seconds: "-1",
  };
  expect(read(inputs).problems).toEqual([
    "Input auth_url has to be an address that starts with https:// or http:// and holds no blank.",
    'Input uses_pkce has to be true or false, not "perhaps".',
    "Input client_secret is given and named in the input clear: it can't be both.",
    `Input clear holds "secret", which is none of ${fields}.`,
    "Input region can't be given on this platform, which has no regions: give control_plane_url, or set platform to one that has them (langsmith: us or eu).",
    "Input api_key has to be given, or bearer_token.",
    "Input workspace_id has to be given, or bearer_token.",
    'Input request_timeout_seconds has to be a number of seconds above 0 and up to 86400, not "-1".',
    "Input provider_id has to be given.",
  ]);
});
