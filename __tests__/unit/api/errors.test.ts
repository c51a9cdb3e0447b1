import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ResponseError } from "../../../src/http/response-error.ts";
import { controlPlaneHints } from "../../../src/platform/hints.ts";
import { parseCommand } from "../../support/runner/command-parser.ts";
import { anyText } from "../support/any-text.ts";

const request = {
  method: "POST",
  url: new URL("https://host.example/api-host/v2/deployments?key=not-to-be-seen"),
};

function errorOf(status: number, text: string, headers = {}): ResponseError {
  return new ResponseError(request, { status, text, headers }, undefined, controlPlaneHints, String);
}

const item = (loc: unknown[], msg: string) => ({ loc, msg, type: "t" });

describe("what the platform said is told in its own words", () => {
  test.each<[string, number, string, string]>([
    ["text", 400, '{"detail": "Reserved name"}', "400: Reserved name."],
    ["text with a stop", 400, '{"detail": "Reserved name!"}', "400: Reserved name!"],
    ["one item", 422, JSON.stringify({ detail: [item(["body", "a", 0], "bad")] }), "422: body.a.0: bad."],
    ["two items", 422, JSON.stringify({ detail: [item(["a"], "x"), item([], "y")] }), "422: a: x; : y."],
    ["items of another shape", 422, '{"detail": ["x", {"y": 1}]}', '422: {"detail": ["x", {"y": 1}]}.'],
    ["no detail", 422, "{}", "422: {}."],
    ["a list", 400, "[1]", "400: [1]."],
    ["null", 400, "null", "400: null."],
    ["nothing", 500, "", "500: (no text)."],
    ["blanks", 500, " \n ", "500: (no text)."],
    ["plain text", 502, "Bad\r\nGateway", "502: Bad Gateway."],
    [
      "HTML",
      502,
      "<html><head><style>a{}</style><script>b()</script></head><h1>Bad</h1> Gateway</html>",
      "502: Bad Gateway.",
    ],
    ["HTML that is cut", 502, "<html><p>Bad Gateway<p", "502: Bad Gateway<p."],
  ])("%s", (_what, status, text, expected) => {
    expect(errorOf(status, text).message).toBe(`POST /api-host/v2/deployments was answered with ${expected}`);
  });

  test("a redirect tells where it leads", () => {
    const { message, hint } = errorOf(302, "", { location: "https://login.example.com/x" });
    expect(message).toBe(
      "POST /api-host/v2/deployments was answered with 302: a redirect to https://login.example.com/x, which is not followed.",
    );
    expect(hint).toContain("control_plane_url");
  });
});

test("several items are told apart, a single one is not", () => {
  expect(errorOf(422, JSON.stringify({ detail: [item(["a"], "x"), item(["b", 1], "y")] })).items).toEqual([
    "a: x",
    "b.1: y",
  ]);
  expect(errorOf(422, JSON.stringify({ detail: [item(["a"], "x")] })).items).toEqual([]);
});

describe("the hint names what to look at", () => {
  test.each<[number, string, string]>([
    [400, "{}", "inputs"],
    [401, "{}", "api_key"],
    [403, "{}", "workspace_id"],
    [404, "{}", "deployment_id"],
    [404, "<html>", "control_plane_url"],
    [404, "", "control_plane_url"],
    [405, "nope", "control_plane_url"],
    [409, "{}", "deployment_id"],
    [413, "{}", "secrets"],
    [422, "{}", "inputs"],
    [429, "{}", "limits how often"],
    [418, "{}", "control_plane_url"],
    [301, "", "control_plane_url"],
    [500, "{}", "try again"],
    [503, "<html>", "try again"],
  ])("%d %j: %s", (status, text, named) => expect(errorOf(status, text).hint).toContain(named));
});

test("whatever the answer holds, the message is one inert line of bounded length without the query", () => {
  const text = fc.oneof(
    anyText(),
    fc.json(),
    anyText().map((detail) => JSON.stringify({ detail })),
    fc
      .array(fc.string(), { maxLength: 3 })
      .map((all) => JSON.stringify({ detail: all.map((msg) => item([msg], `::error::\n${msg}`)) })),
  );
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), text, (status, body) => {
      const { message, items } = errorOf(status, body);
      for (const line of [message, ...items]) {
        expect(line).not.toMatch(/[\r\n]|not-to-be-seen/);
        expect(parseCommand(line, () => true)).toBeUndefined();
        expect(line.length).toBeLessThan(2_200);
      }
    }),
  );
  expect(errorOf(500, "x".repeat(100_000)).message.length).toBeLessThan(700);
});

test("only what is JSON counts as the API's own", () => {
  expect(errorOf(404, '{"detail":"x"}').json).toBe(true);
  expect(errorOf(404, "null").json).toBe(true);
  expect(errorOf(404, "<html>").json).toBe(false);
  expect(errorOf(404, "").json).toBe(false);
  expect(errorOf(404, "{").json).toBe(false);
});
