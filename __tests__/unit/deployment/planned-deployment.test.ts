import { expect, test } from "@jest/globals";
import { planFromInputs } from "../../../src/deploy/planned-deployment.ts";
import type { RunEvent } from "../../../src/events.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { byName, onMain, type Texts } from "./support/planned.ts";

/** What a plan says of the platform's pages for people. */
async function siteOf(inputs: Texts): Promise<unknown> {
  const given = { platform: "langsmith", api_key: "key", workspace_id: "w-1", ...inputs };
  const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const reader = new InputReader(Object.fromEntries(variables));
  const events: RunEvent[] = [];
  const context = { ...recordingContext(onMain), emit: async (event: RunEvent) => void events.push(event) };
  await planFromInputs(byName, readDeployInputs(reader), reader, context);
  expect(events).toMatchObject([{ kind: "planned", title: "agent", name: "agent", source: "main" }]);
  return events[0]?.kind === "planned" ? events[0].site : undefined;
}

test.each<[Texts, string]>([
  [{}, "https://smith.langchain.com"],
  [{ region: "eu" }, "https://eu.smith.langchain.com"],
  [{ region: "apac" }, "https://apac.smith.langchain.com"],
  [{ region: "aws-us" }, "https://aws.smith.langchain.com"],
  [{ control_plane_url: "https://eu.api.host.langchain.com/" }, "https://eu.smith.langchain.com"],
])("the pages of the vendor's cloud are known with %j", async (inputs, url) => {
  expect(await siteOf(inputs)).toEqual({ url, workspaceId: "w-1" });
});

test.each<Texts>([
  { control_plane_url: "https://agents.example/api-host" },
  { control_plane_url: "https://api.host.langchain.com.example" },
  { platform: "standard", control_plane_url: "https://api.host.langchain.com" },
])("no pages are known with %j", async (inputs) => {
  expect(await siteOf(inputs)).toBeUndefined();
});
