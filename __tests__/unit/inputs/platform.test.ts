import { describe, expect, test } from "@jest/globals";
import { readAddress, readPlatform } from "../../../src/inputs/platform.ts";
import { platforms } from "../../../src/platform/platforms.ts";
import { reading, type Texts } from "./support/reading.ts";

type Address = "control_plane_url" | "base_url";

function read(inputs: Texts, address: Address = "control_plane_url") {
  const { result, ...told } = reading(inputs, (reader) => readAddress(reader, readPlatform(reader), address));
  return { url: result.url.href, region: result.region, ...told };
}

describe("where the platform has regions", () => {
  test.each<[string, Texts, Address, string]>([
    ["the first without any", {}, "control_plane_url", "https://api.host.langchain.com/"],
    ["us", { region: "us" }, "control_plane_url", "https://api.host.langchain.com/"],
    ["eu", { region: "eu" }, "control_plane_url", "https://eu.api.host.langchain.com/"],
    ["usage in us", {}, "base_url", "https://api.smith.langchain.com/"],
    ["usage in eu", { region: "eu" }, "base_url", "https://eu.api.smith.langchain.com/"],
    [
      "its own host",
      { control_plane_url: "https://agents.example/api-host" },
      "control_plane_url",
      "https://agents.example/api-host",
    ],
  ])("%s", (_what, inputs, address, expected) => {
    const { url, problems } = read({ platform: "langsmith", ...inputs }, address);
    expect(problems).toEqual([]);
    expect(url).toBe(expected);
  });

  test.each<[Address, string]>([
    ["control_plane_url", "https://api.host.langchain.com"],
    ["base_url", "https://api.smith.langchain.com"],
  ])("a region that nobody chose is told, where %s isn't given either", (address, host) => {
    const { region, remarks } = read({ platform: "langsmith" }, address);
    expect(region).toBe("us");
    const text = `Neither region nor ${address} is given, so region us is used (${host}). Set region to us or eu, or ${address} to a host of your own.`;
    expect(remarks).toEqual([{ kind: "notice", text }]);
  });

  test("one that was chosen isn't", () => {
    expect(read({ platform: "langsmith", region: "us" })).toMatchObject({ region: "us", remarks: [] });
    const own = { platform: "langsmith", control_plane_url: "https://agents.example" };
    expect(read(own)).toMatchObject({ region: undefined, remarks: [] });
  });

  test.each(["mars", "constructor"])("%s is refused, and no host is taken for it", (region) => {
    const { url, problems } = read({ platform: "langsmith", region });
    expect(problems).toEqual([`Input region has to be us or eu, not "${region}".`]);
    expect(url).toBe("https://invalid.invalid/");
  });

  test("one beside an address is refused", () => {
    const both = { platform: "langsmith", region: "eu", control_plane_url: "https://agents.example" };
    expect(read(both).problems).toEqual(["Input region can't be given beside control_plane_url."]);
  });

  test.each<[string, string[]]>([
    ["eu", []],
    ["mars", ['Input region has to be us or eu, not "mars".']],
  ])("beside region %s, what else is wrong with an address is told as well", (region, more) => {
    const both = { platform: "langsmith", region, control_plane_url: "http://a:b@agents.example/?c" };
    expect(read(both)).toMatchObject({
      problems: [
        "Input region can't be given beside control_plane_url.",
        ...more,
        "Input control_plane_url must not hold a user name or password.",
        "Input control_plane_url must not hold a query (the part from the ? on).",
        "Input control_plane_url has to start with https://; for a plain http: address of a private network set allow_http: true.",
      ],
    });
  });
});

describe("the standard platform", () => {
  test("needs an address", () => {
    expect(read({}).problems).toEqual(["Input control_plane_url has to be given."]);
  });

  test("has no regions", () => {
    expect(read({ region: "us" }).problems).toEqual([
      "Input region can't be given on this platform, which has no regions: give control_plane_url, or set platform to one that has them (langsmith: us or eu).",
    ]);
  });

  test("tells of a region beside an address once", () => {
    const both = { region: "us", control_plane_url: "https://agents.example" };
    expect(read(both).problems).toEqual(["Input region can't be given beside control_plane_url."]);
  });

  test.each(["mars", "constructor"])("tells of a region that no platform has, such as %s", (region) => {
    expect(read({ region }).problems).toEqual([
      `Input region is "${region}", which no platform has: give control_plane_url, or set platform, and set region to what goes with it (langsmith: us or eu).`,
    ]);
  });
});

test.each(["LangSmith", "constructor", "x"])("there is no platform %s", (platform) => {
  expect(read({ platform, control_plane_url: "https://agents.example" }).problems).toEqual([
    `Input platform has to be standard or langsmith, not "${platform}".`,
  ]);
});

test("nothing differs on the standard platform", () => {
  expect(platforms.standard).toMatchObject({ wireNames: {}, rules: undefined, regions: {} });
  expect(Object.values(platforms.standard?.offers ?? {})).not.toContain(true);
});
