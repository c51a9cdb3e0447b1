import { expect, test } from "@jest/globals";
import { readControlPlane } from "../../../src/inputs/control-plane.ts";
import { platforms } from "../../../src/platform/platforms.ts";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading(inputs, readControlPlane);

test("what is needed is enough", () => {
  expect(read(access)).toEqual({ result: controlPlane, problems: [], remarks: [] });
});

test("everything that can be given", () => {
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
    remarks: [],
  });
});

test.each<[string, Texts]>([
  ["nothing", {}],
  ["empty ones", { control_plane_url: "", api_key: " ", workspace_id: "\n", request_timeout_seconds: "" }],
])("with %s, all that is needed is asked for", (_what, inputs) => {
  const { result, problems } = read(inputs);
  expect(problems).toEqual(noAccess);
  expect(result.headers).toEqual({ "x-api-key": "", "x-tenant-id": "" });
  expect(result.requestTimeoutMs).toBe(30_000);
});

test("everything that is wrong is told at once", () => {
  const inputs = {
    platform: "other",
    control_plane_url: "http://agents.example",
    api_key: "two words",
    workspace_id: "a\nb",
    request_timeout_seconds: "soon",
  };
  const noHeader = "holds a blank, a line end or another character that can't be sent in a header";
  expect(read(inputs).problems).toEqual([
    'Input platform has to be standard or langsmith, not "other".',
    "Input control_plane_url has to start with https://; for a plain http: address of a private network set allow_http: true.",
    `Input api_key ${noHeader}.`,
    `Input workspace_id ${noHeader}.`,
    'Input request_timeout_seconds has to be a number of seconds above 0 and up to 86400, not "soon".',
  ]);
});

test.each([
  ["a blank", "secret key"],
  ["a line end", "secret\r\nx-other: 1"],
  ["a tab", "secret\tkey"],
  ["a control character at the end", "secret\u0001"],
  ["a control character at the start", "\u0001secret"],
  ["DEL", "secret\u007f"],
  ["a character beyond Latin-1", "secret✓"],
])("a key with %s is refused, and not shown", (_what, key) => {
  const { problems } = read({ ...access, api_key: key });
  expect(problems).toEqual([
    "Input api_key holds a blank, a line end or another character that can't be sent in a header.",
  ]);
});

test("a key of whatever else a header can hold passes", () => {
  const { result, problems } = read({ ...access, api_key: "!~\u0080\u00ff" });
  expect(problems).toEqual([]);
  expect(result.headers["x-api-key"]).toBe("!~\u0080\u00ff");
});
