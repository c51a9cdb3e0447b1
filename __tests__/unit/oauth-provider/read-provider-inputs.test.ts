import { describe, expect, test } from "@jest/globals";
import { readProviderInputs } from "../../../src/oauth-provider/read-provider-inputs.ts";
import { access } from "../inputs/support/control-plane.ts";
import { problem, reading, type Texts } from "../inputs/support/reading.ts";

const fields = "name, client_id, client_secret, auth_url, token_url, uses_pkce or code_challenge_method";
const needed: Texts = { ...access, provider_id: "login" };

const read = (inputs: Texts) => reading(inputs, readProviderInputs);
const problemsOf = (inputs: Texts) => read({ ...needed, ...inputs }).problems;

describe("an update of a provider", () => {
  test("sends all fields that are given", () => {
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
    expect(result.requestTimeoutMs).toBe(5_000);
  });

  test("sends null for fields to clear, and nothing for empty inputs", () => {
    const clear = " client_id,uses_pkce\r\n\ncode_challenge_method\nclient_id,";

    const inputs = { ...needed, name: "Login", client_id: "", uses_pkce: " ", token_url: "\n", clear };
    const { result, problems } = read(inputs);

    expect(problems).toEqual([]);
    expect(result.request).toEqual({
      name: "Login",
      client_id: null,
      uses_pkce: null,
      code_challenge_method: null,
    });
  });

  test("may send nothing but null", () => {
    expect(problemsOf({ clear: "client_secret" })).toEqual([]);
  });

  test.each<[string, Texts]>([
    ["nothing is given", {}],
    ["a secret does not exist", { client_secret: "", clear: " ,\n" }],
  ])("is rejected if %s", (_what, inputs) => {
    expect(problemsOf(inputs)).toEqual([problem("clear", fields, "must be set")]);
  });
});

test("an update whose only field is wrong is not also said to be empty", () => {
  expect(problemsOf({ uses_pkce: "yes" })).toEqual([problem("uses_pkce", "true or false")]);
});

describe("a field to clear", () => {
  test("cannot be given too", () => {
    const inputs = { name: "Login", auth_url: "https://login.example", clear: "auth_url, token_url, name" };

    expect(problemsOf(inputs)).toEqual([problem("auth_url", "clear"), problem("name", "clear")]);
  });

  test("must be a known field", () => {
    expect(problemsOf({ clear: "clientid\nname\nprovider_id, Name, constructor" })).toEqual(
      ["clientid", "provider_id", "Name", "constructor"].map((name) => problem("clear", `"${name}"`, fields)),
    );
  });
});

describe("credentials", () => {
  const { control_plane_url, api_key, workspace_id } = access;
  const inputs = { control_plane_url, provider_id: "login", name: "Login" };
  const keyHeader = { "x-api-key": "some-key" };
  const workspaceHeader = { "x-tenant-id": "some-workspace" };
  const tokenHeader = { authorization: "Bearer some-token" };

  test.each<[string, Texts, Texts]>([
    ["alone", {}, tokenHeader],
    ["and a key", { api_key }, { ...keyHeader, ...tokenHeader }],
    ["and a workspace", { workspace_id }, { ...workspaceHeader, ...tokenHeader }],
    ["and both", { api_key, workspace_id }, { ...keyHeader, ...workspaceHeader, ...tokenHeader }],
  ])("may be a token %s", (_what, others, headers) => {
    const { result, problems } = read({ ...inputs, ...others, bearer_token: " some-token\n" });

    expect(problems).toEqual([]);
    // Strictly: a header of undefined would be sent as a word.
    expect(result.headers).toStrictEqual(headers);
  });

  const noKey = problem("api_key", "bearer_token", "must be set");
  const noWorkspace = problem("workspace_id", "bearer_token", "must be set");
  test.each<[string, Texts, unknown[]]>([
    ["missing", {}, [noKey, noWorkspace]],
    ["empty", { api_key: "", workspace_id: " ", bearer_token: "\n" }, [noKey, noWorkspace]],
    ["a key without its workspace", { api_key }, [noWorkspace]],
    ["a workspace without a key", { workspace_id }, [noKey]],
  ])("cannot be %s", (_what, others, problems) => {
    expect(read({ ...inputs, ...others }).problems).toEqual(problems);
  });

  test("are not quoted if a header can't hold them", () => {
    const secrets = { bearer_token: "Bearer secret", api_key: "secret key", workspace_id: "secret\u0000" };

    const { problems } = read({ ...inputs, ...secrets });

    expect(problems).toEqual(Object.keys(secrets).map((input) => problem(input, "header")));
    expect(problems.join()).not.toContain("secret");
  });
});

describe("a URL of the provider", () => {
  test.each(["https://login.example", "http://localhost:8080/a?b#c", "https://user:pass@login.example"])(
    "may be %s",
    (url) => expect(problemsOf({ auth_url: url })).toEqual([]),
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
  ])("cannot be %j", (url) => {
    expect(problemsOf({ auth_url: url, token_url: url })).toEqual([
      problem("auth_url", "https:// or http://"),
      problem("token_url", "https:// or http://"),
    ]);
  });
});

test.each([
  [" ", problem("provider_id", "missing")],
  [".", problem("provider_id", '"."')],
  ["..", problem("provider_id", '".."')],
])("the provider's id cannot be %j", (provider_id, expected) => {
  expect(problemsOf({ name: "Login", provider_id })).toEqual([expected]);
});

test("all problems with the inputs of a provider are reported at once, and no secret is quoted", () => {
  const inputs = {
    client_secret: "hush",
    auth_url: "login",
    uses_pkce: "perhaps",
    clear: "client_secret, secret",
    request_timeout_seconds: "-1",
  };

  const { problems } = read(inputs);

  expect(problems).toEqual([
    problem("auth_url", "https://"),
    problem("uses_pkce", "true or false", '"perhaps"'),
    problem("client_secret", "clear"),
    problem("clear", '"secret"'),
    problem("control_plane_url", "missing"),
    problem("api_key", "bearer_token"),
    problem("workspace_id", "bearer_token"),
    problem("request_timeout_seconds", '"-1"'),
    problem("provider_id", "missing"),
  ]);
  expect(problems.join()).not.toContain("hush");
});
