import { describe, expect, test } from "@jest/globals";
import { platforms } from "../../../src/control-plane/platforms.ts";
import { readAddress, readPlatform } from "../../../src/inputs/platform.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { recordingPorts } from "../../support/recording-ports.ts";

type Address = "control_plane_url" | "base_url";

function read(inputs: Record<string, string>, address: Address = "control_plane_url") {
  const entries = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const reader = new InputReader(Object.fromEntries(entries));
  const { url, region } = readAddress(reader, readPlatform(reader), address);
  const ports = recordingPorts({});
  reader.finish(ports.log);
  return { url: url.href, region, lines: ports.recorded.lines };
}

describe("where the platform has regions", () => {
  test.each<[string, Record<string, string>, Address, string]>([
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
    expect(read({ platform: "langsmith", ...inputs }, address).url).toBe(expected);
  });

  test.each<[Address, string]>([
    ["control_plane_url", "https://api.host.langchain.com"],
    ["base_url", "https://api.smith.langchain.com"],
  ])("a region that nobody chose is told, where %s isn't given either", (address, host) => {
    const { region, lines } = read({ platform: "langsmith" }, address);
    expect(region).toBe("us");
    const text = `Neither region nor ${address} is given, so region us is used (${host}). Set region to us or eu, or ${address} to a host of your own.`;
    expect(lines).toEqual([{ kind: "notice", text }]);
  });

  test("one that was chosen isn't", () => {
    expect(read({ platform: "langsmith", region: "us" })).toMatchObject({ region: "us", lines: [] });
    const own = { platform: "langsmith", control_plane_url: "https://agents.example" };
    expect(read(own)).toMatchObject({ region: undefined, lines: [] });
  });

  test.each<[string, Record<string, string>, string]>([
    ["an unknown one", { region: "mars" }, 'Input region has to be us or eu, not "mars".'],
    [
      "a name of every object",
      { region: "constructor" },
      'Input region has to be us or eu, not "constructor".',
    ],
    [
      "both",
      { region: "eu", control_plane_url: "https://agents.example" },
      "Input region can't be given beside control_plane_url.",
    ],
  ])("%s is refused", (_what, inputs, message) => {
    expect(() => read({ platform: "langsmith", ...inputs })).toThrow(message);
  });
});

describe("the standard platform", () => {
  test("needs an address", () => {
    expect(() => read({})).toThrow("Input control_plane_url has to be given.");
  });

  test("has no regions", () => {
    expect(() => read({ region: "us" })).toThrow(
      "Input region can't be given on this platform, which has no regions: give control_plane_url, or set platform to one that has them (langsmith: us or eu).",
    );
  });
});

test.each(["LangSmith", "constructor", "x"])("there is no platform %s", (platform) => {
  expect(() => read({ platform, control_plane_url: "https://agents.example" })).toThrow(
    `Input platform has to be standard or langsmith, not "${platform}".`,
  );
});

test("nothing differs on the standard platform", () => {
  expect(platforms.standard).toMatchObject({ wireNames: {}, rules: undefined, regions: {} });
  expect(Object.values(platforms.standard?.offers ?? {})).not.toContain(true);
});
