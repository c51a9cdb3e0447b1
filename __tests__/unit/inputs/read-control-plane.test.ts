import { describe, expect, test } from "@jest/globals";
import { readControlPlane, readTarget } from "../../../src/inputs/read-control-plane.ts";
import { notSupported } from "../../../src/platform/platform.ts";
import { nameOrIdOf, reportedNamesOf } from "../../../src/platform/target.ts";
import { messageMatching } from "../../support/message-matching.ts";
import { deploymentId } from "../support/wire.ts";
import { access, noAccess } from "./support/control-plane.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading(inputs, readControlPlane);

test("the URL, a key and a workspace must be set", () => {
  const { result, problems } = read({ api_key: " ", workspace_id: "\n" });

  expect(problems).toEqual(noAccess);
  expect(result).toMatchObject({
    apiKey: "",
    workspaceId: "",
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

test.each<[string, Texts, unknown]>([
  ["a name", { name: " agent " }, { kind: "name", name: "agent" }],
  ["an id", { deployment_id: " id-1\n" }, { kind: "id", id: deploymentId("id-1") }],
  [
    "an id rather than a name",
    { deployment_id: "id-1", name: "agent" },
    { kind: "id", id: deploymentId("id-1") },
  ],
  ["a name beside an empty id", { deployment_id: " ", name: "agent" }, { kind: "name", name: "agent" }],
  ["an id of dots", { deployment_id: "..." }, { kind: "id", id: "..." }],
  ["a name of dots", { name: ".." }, { kind: "name", name: ".." }],
])("a deployment is found by %s", (_what, inputs, result) => {
  expect(reading(inputs, readTarget)).toEqual({ result, problems: [], notes: [] });
});

test.each<[string, Texts, unknown]>([
  ["no input", {}, problem("name", "or deployment_id must be set")],
  ["empty inputs", { deployment_id: "", name: " \n" }, problem("name", "or deployment_id must be set")],
  ["the id .", { deployment_id: ".", name: "agent" }, problem("deployment_id", "must be an ID", '".."')],
  ["the id ..", { deployment_id: "..", name: "agent" }, problem("deployment_id", "must be an ID", '".."')],
])("a deployment cannot be found by %s", (_what, inputs, expected) => {
  expect(reading(inputs, readTarget)).toMatchObject({ problems: [expected], notes: [] });
});

describe("delete_tracing_project", () => {
  const readOn = (platform: string, inputs: Texts) =>
    reading({ ...access, platform, ...inputs }, readControlPlane);

  test.each<[boolean, Texts]>([
    [true, { delete_tracing_project: "true" }],
    [false, { delete_tracing_project: "false" }],
    [false, {}],
  ])("is %s on a platform with tracing projects for %j", (result, inputs) => {
    expect(readOn("langsmith", inputs)).toMatchObject({ result: { deletesTraces: result }, problems: [] });
  });

  test("is rejected on a platform without tracing projects, but may be turned off there", () => {
    expect(readOn("standard", { delete_tracing_project: "true" }).problems).toEqual([
      problem("delete_tracing_project", "not supported"),
    ]);
    expect(readOn("standard", { delete_tracing_project: "false" }).problems).toEqual([]);
  });

  test("is not rejected beside a platform that nobody knows", () => {
    expect(readOn("langsmit", { delete_tracing_project: "true" }).problems).toEqual([
      problem("platform", '"langsmit"'),
    ]);
  });
});

test("what the platform does not support has a hint that names the input platform", () => {
  expect(notSupported("source_path").hint).toEqual(
    messageMatching(/set platform: langsmith\. Otherwise, remove source_path\.$/),
  );
});

test("the title of a target is its id or its name", () => {
  expect(nameOrIdOf({ kind: "id", id: deploymentId("id-1") })).toBe("id-1");
  expect(nameOrIdOf({ kind: "name", name: "agent" })).toBe("agent");
  expect(reportedNamesOf({ kind: "id", id: deploymentId("id-1") })).toEqual({
    shownName: "id-1",
    name: undefined,
  });
  expect(reportedNamesOf({ kind: "name", name: "agent" })).toEqual({ shownName: "agent", name: "agent" });
});
