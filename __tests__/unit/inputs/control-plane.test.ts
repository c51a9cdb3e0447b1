import { expect, test } from "@jest/globals";
import { readControlPlane } from "../../../src/inputs/control-plane.ts";
import { platforms } from "../../../src/platform/platforms.ts";
import { noAccess } from "./support/control-plane.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading(inputs, readControlPlane);

test("every input of a control plane is read", () => {
  const inputs = {
    platform: "langsmith",
    region: "eu",
    api_key: " some-key\n",
    workspace_id: "\tsome-workspace ",
    request_timeout_seconds: "2.5",
  };

  expect(read(inputs)).toEqual({
    result: {
      platform: platforms.langsmith,
      url: new URL("https://eu.api.host.langchain.com"),
      region: "eu",
      headers: { "x-api-key": "some-key", "x-tenant-id": "some-workspace" },
      requestTimeoutMs: 2_500,
    },
    problems: [],
    notes: [],
  });
});

test("the URL, a key and a workspace must be given", () => {
  const { result, problems } = read({ api_key: " ", workspace_id: "\n" });

  expect(problems).toEqual(noAccess);
  expect(result).toMatchObject({
    headers: { "x-api-key": "", "x-tenant-id": "" },
    requestTimeoutMs: 30_000,
  });
});

test("all problems are reported at once", () => {
  const inputs = {
    platform: "other",
    control_plane_url: "http://agents.example",
    api_key: "two words",
    workspace_id: "a\nb",
    request_timeout_seconds: "soon",
  };

  expect(read(inputs).problems).toEqual([
    problem("platform", '"other"'),
    problem("control_plane_url", "https://"),
    problem("api_key", "header"),
    problem("workspace_id", "header"),
    problem("request_timeout_seconds", '"soon"'),
  ]);
});
