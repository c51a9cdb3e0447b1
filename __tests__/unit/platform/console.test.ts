import { expect, test } from "@jest/globals";
import { readControlPlane } from "../../../src/inputs/read-control-plane.ts";
import { consolePageOf } from "../../../src/platform/control-plane-settings.ts";
import { reading, type Texts } from "../inputs/support/reading.ts";

function consoleWith(inputs: Texts): unknown {
  const given = { platform: "langsmith", api_key: "key", workspace_id: "w-1", ...inputs };
  return consolePageOf(reading(given, readControlPlane).result);
}

test.each<[Texts, string]>([
  [{}, "https://smith.langchain.com"],
  [{ region: "eu" }, "https://eu.smith.langchain.com"],
  [{ region: "apac" }, "https://apac.smith.langchain.com"],
  [{ region: "aws-us" }, "https://aws.smith.langchain.com"],
  [{ control_plane_url: "https://eu.api.host.langchain.com/" }, "https://eu.smith.langchain.com"],
  [
    { platform: "standard", control_plane_url: "https://api.host.langchain.com" },
    "https://smith.langchain.com",
  ],
])("the console of the vendor's cloud is known with %j", (inputs, url) => {
  expect(consoleWith(inputs)).toBe(`${url}/o/w-1/host/deployments`);
});

test.each<Texts>([
  { control_plane_url: "https://agents.example/api-host" },
  { control_plane_url: "https://api.host.langchain.com.example" },
])("no console is known with %j", (inputs) => {
  expect(consoleWith(inputs)).toBeUndefined();
});
