import { describe, expect, test } from "@jest/globals";
import { readApiLocation, readBaseUrl } from "../../../src/inputs/api-location.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

type UrlInput = "control_plane_url" | "base_url";

function read(inputs: Texts, input: UrlInput = "control_plane_url") {
  const { result, ...others } = reading(inputs, (reader) => readApiLocation(reader, input));
  return { url: result.url.href, region: result.region, ...others };
}

const rejected = "https://invalid.invalid/";

describe("on a platform with regions", () => {
  const langsmith = { platform: "langsmith" };

  test.each<[string, Texts, UrlInput, string, string | undefined]>([
    ["the first one by default", {}, "control_plane_url", "https://api.host.langchain.com/", "us"],
    ["us", { region: "us" }, "control_plane_url", "https://api.host.langchain.com/", "us"],
    ["eu", { region: "eu" }, "control_plane_url", "https://eu.api.host.langchain.com/", "eu"],
    ["the first one for usage", {}, "base_url", "https://api.smith.langchain.com/", "us"],
    ["apac", { region: "apac" }, "control_plane_url", "https://apac.api.host.langchain.com/", "apac"],
    ["aws-us", { region: "aws-us" }, "control_plane_url", "https://aws.api.host.langchain.com/", "aws-us"],
    ["apac for usage", { region: "apac" }, "base_url", "https://apac.api.smith.langchain.com/", "apac"],
    ["aws-us for usage", { region: "aws-us" }, "base_url", "https://aws.api.smith.langchain.com/", "aws-us"],
    ["eu for usage", { region: "eu" }, "base_url", "https://eu.api.smith.langchain.com/", "eu"],
    [
      "none beside a URL",
      { control_plane_url: "https://agents.example/api-host" },
      "control_plane_url",
      "https://agents.example/api-host",
      undefined,
    ],
  ])("the region is %s", (_what, inputs, input, url, region) => {
    expect(read({ ...langsmith, ...inputs }, input)).toMatchObject({ url, region, problems: [] });
  });

  test.each<[UrlInput, string]>([
    ["control_plane_url", "https://api.host.langchain.com"],
    ["base_url", "https://api.smith.langchain.com"],
  ])("a notice says which region is used if %s is missing too", (input, host) => {
    const { notes } = read(langsmith, input);

    expect(notes).toEqual([{ kind: "notice", text: expect.stringContaining(`region us (${host})`) }]);
    expect(notes[0]?.text).toContain(`Set region to us, eu, apac or aws-us, or set ${input}`);
  });

  test.each<Texts>([{ region: "us" }, { control_plane_url: "https://agents.example" }])(
    "there is no notice with %j",
    (inputs) => expect(read({ ...langsmith, ...inputs }).notes).toEqual([]),
  );

  test.each(["mars", "constructor"])("the region %s is rejected", (region) => {
    expect(read({ ...langsmith, region }).problems).toEqual([
      problem("region", "must be us, eu, apac or aws-us", `"${region}"`),
    ]);
  });

  test("a region beside a URL is rejected", () => {
    const control_plane_url = "https://agents.example";

    expect(read({ ...langsmith, region: "eu", control_plane_url }).problems).toEqual([
      problem("region", "must not be set together with control_plane_url"),
    ]);
  });
});

describe("on the standard platform", () => {
  test("a URL must be set", () => {
    expect(read({}).problems).toEqual([problem("control_plane_url", "is missing or empty")]);
  });

  test("a region is rejected", () => {
    expect(read({ platform: "standard", region: "us" }).problems).toEqual([
      problem("region", "needs platform: langsmith"),
      problem("control_plane_url", "is missing or empty"),
    ]);
  });

  test("a region beside a URL is one problem", () => {
    expect(read({ region: "us", control_plane_url: "https://agents.example" }).problems).toEqual([
      problem("region", "must not be set together with control_plane_url"),
    ]);
  });
});

test("the platform is langsmith if only a region is set", () => {
  expect(read({ region: "eu" })).toMatchObject({
    url: "https://eu.api.host.langchain.com/",
    region: "eu",
    problems: [],
  });
});

test.each(["LangSmith", "constructor", "x"])("the platform %s is rejected", (platform) => {
  expect(read({ platform, control_plane_url: "https://agents.example" }).problems).toEqual([
    problem("platform", "standard or langsmith", `"${platform}"`),
  ]);
});

describe("a URL", () => {
  const readUrl = (control_plane_url: string, allow_http = "") => read({ control_plane_url, allow_http });

  test.each([
    ["https://agents.example.com", "https://agents.example.com/"],
    [" https://agents.example.com/api-host/ ", "https://agents.example.com/api-host"],
    ["https://agents.example.com/v2", "https://agents.example.com/"],
    ["https://agents.example.com/api-host/v2/", "https://agents.example.com/api-host"],
    ["https://agents.example.com/api-host//v1//", "https://agents.example.com/api-host"],
    ["https://agents.example.com/v1/x", "https://agents.example.com/v1/x"],
    ["https://agents.example.com/v3", "https://agents.example.com/v3"],
    ["https://agents.example.com/apiv2", "https://agents.example.com/apiv2"],
    ["HTTPS://Agents.Example.com", "https://agents.example.com/"],
    ["https://agents.example.com:8443/a", "https://agents.example.com:8443/a"],
    ["http://localhost:8124", "http://localhost:8124/"],
    ["http://sub.localhost", "http://sub.localhost/"],
    ["http://127.0.0.1:8124", "http://127.0.0.1:8124/"],
    ["http://127.8.9.10", "http://127.8.9.10/"],
    ["http://[::1]:8124", "http://[::1]:8124/"],
  ])("%s is accepted", (text, url) => {
    expect(readUrl(text)).toMatchObject({ url, problems: [], notes: [] });
  });

  test.each(["/v1", "/v2/", "/"])("of the usage API is accepted without its end %s", (end) => {
    expect(read({ base_url: `https://usage.example/x${end}` }, "base_url").url).toBe(
      "https://usage.example/x",
    );
  });

  test.each(["deployment_url", "compare_with_url"] as const)("of an agent (%s) keeps a version", (input) => {
    const readAgent = (address: string) =>
      reading({ [input]: address }, (reader) => readBaseUrl(reader, input)).result.href;

    expect(readAgent("https://agents.example/v1")).toBe("https://agents.example/v1");
    expect(readAgent("https://agents.example/a/v2//")).toBe("https://agents.example/a/v2");
  });

  test("may be http: with allow_http", () => {
    const url = "http://agents.internal/x";

    expect(readUrl(url, "true")).toMatchObject({ url, problems: [] });
  });

  test("must not contain a password, not even with allow_http", () => {
    expect(readUrl("http://a:b@agents.internal", "true").problems).toHaveLength(1);
  });

  test.each([
    "agents.example.com",
    "ftp://agents.example.com",
    "javascript:alert('x')",
    "javascript:https://agents.example.com",
    "https://",
    "https://a b",
    "https://user@agents.example.com",
    "https://:password@agents.example.com",
    "https://agents.example.com/?key=value",
    "https://agents.example.com/?",
    "https://agents.example.com/#part",
    "https://agents.example.com/#",
    "http://agents.example.com",
    "http://10.0.0.1",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://127.example.com",
    "http://[::2]",
  ])("%s is rejected without being quoted", (text) => {
    const { url, problems } = readUrl(text);

    expect(url).toBe(rejected);
    expect(problems).toEqual([
      problem(
        "control_plane_url",
        "starts with https:// (in a private network http:// with allow_http: true)",
        "without user name, password, ?… and #…",
      ),
    ]);
    expect(problems.join()).not.toMatch(/agents|password@|key=/);
  });
});
