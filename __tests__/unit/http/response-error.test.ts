import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  failedResponse,
  hintsForRegion,
  type ResponseError,
  unexpectedResponse,
} from "../../../src/http/response-error.ts";
import { controlPlaneHints } from "../../../src/platform/hints.ts";
import { parseCommand } from "../../support/runner/command-parser.ts";
import { anyText } from "../support/any-text.ts";
import { requestTo } from "./support/request-to.ts";

const request = requestTo("https://host.example/api-host/v2/deployments?key=hidden", { method: "POST" });

function errorOf(
  status: number,
  text: string,
  headers = {},
  redact: (text: string) => string = String,
): ResponseError {
  return failedResponse({ request, status, text, headers }, undefined, controlPlaneHints, redact);
}

const item = (loc: unknown[], msg: string) => ({ loc, msg, type: "t" });
const validation = (...detail: unknown[]) => JSON.stringify({ detail });

test.each<[string, number, string, string]>([
  ["the detail", 400, '{"detail": "Reserved name"}', '400: "Reserved name".'],
  [
    "the place and message of a single validation error",
    422,
    validation(item(["body", "a", 0], "bad")),
    "422: body.a.0: bad.",
  ],
  [
    "the number of several validation errors",
    422,
    validation(item(["a"], "x"), item([], "y")),
    "422: 2 validation errors.",
  ],
  ["the body if its detail has another shape", 422, '{"detail": ["x"]}', '422: "{"detail": ["x"]}".'],
  ["the body if it has no detail", 422, "{}", '422: "{}".'],
  ["the body if it is another JSON value", 400, "null", '400: "null".'],
  ["that the body is empty", 500, "", "500: the response is empty."],
  ["that the body is blank", 500, " \n ", "500: the response is empty."],
  ["plain text in one line", 502, "Bad\r\nGateway", '502: "Bad Gateway".'],
  [
    "the text of an HTML page",
    502,
    "<html><style>a{}</style><script>b()</script><h1>Bad</h1> Gateway</html>",
    '502: "Bad Gateway".',
  ],
  ["no script that is cut off", 502, "<html>Bad Gateway<script>b(", '502: "Bad Gateway".'],
  ["the text of an HTML page with a stray <", 502, "<p>1 < 2 and <b>3</b>", '502: "1 < 2 and 3".'],
  ["the text of a truncated HTML page", 502, "<html><p>Bad Gateway<p", '502: "Bad Gateway<p".'],
])("the message of a refused request quotes %s", (_what, status, text, expected) => {
  expect(errorOf(status, text).message).toBe(`POST /api-host/v2/deployments failed with ${expected}`);
});

test("the error of a redirect names its target", () => {
  const { message, hint } = errorOf(302, "", { location: "https://login.example.com/x" });

  expect(message).toContain("302: a redirect to https://login.example.com/x");
  expect(hint).toContain("control_plane_url");
  expect(errorOf(302, "").message).toContain("302: a redirect, which is not followed");
});

test("several validation errors become findings, at most 100, and a single one does not", () => {
  const two = [item(["a"], "x"), item(["b", 1], "y")];

  expect(errorOf(422, validation(...two)).findings).toEqual(["a: x", "b.1: y"]);
  expect(errorOf(422, validation(item(["a"], "x"))).findings).toEqual([]);
  expect(errorOf(422, validation(...Array(200).fill(item(["a"], "x")))).findings).toHaveLength(100);
});

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
  [429, "{}", "number of requests"],
  [418, "{}", "control_plane_url"],
  [301, "", "control_plane_url"],
  [500, "{}", "Try again"],
  [503, "<html>", "Try again"],
])("the hint for %d with body %j names %s", (status, text, named) => {
  expect(errorOf(status, text).hint).toContain(named);
});

test("hints for 401 and 403 name the region that chose the address, and no others do", () => {
  const { 401: unknownKey, 403: forbidden, ...others } = hintsForRegion(controlPlaneHints, "eu").byStatus;
  const { 401: _, 403: __, ...plain } = controlPlaneHints.byStatus;

  for (const hint of [unknownKey, forbidden]) expect(hint).toMatch(/control_plane_url.* region eu/);
  expect(others).toEqual(plain);
  expect(hintsForRegion(controlPlaneHints, undefined)).toBe(controlPlaneHints);
});

test("a host that a region chose is named by region too, so that a connection error asks to check it", () => {
  expect(hintsForRegion(controlPlaneHints, "eu").urlInput).toBe("region or control_plane_url");
});

test.each<[string, boolean]>([
  ['{"detail":"x"}', true],
  ["null", true],
  ["<html>", false],
  ["", false],
  ["{", false],
])("a body of %j counts as JSON: %p", (text, isFromApi) => {
  expect(errorOf(404, text)).toMatchObject({ code: "response", status: 404, isFromApi });
});

test("the error keeps the delay that the server asked for", () => {
  const response = { request, status: 429, text: "", headers: {} };

  expect(failedResponse(response, 7000, controlPlaneHints, String).retryAfterMs).toBe(7000);
});

test("a success of an unexpected shape is an error with the hint for that", () => {
  expect(
    unexpectedResponse({ request, status: 200 }, "the body is not JSON", controlPlaneHints),
  ).toMatchObject({
    message: "POST /api-host/v2/deployments returned 200, but the body is not JSON.",
    hint: controlPlaneHints.unexpected,
    status: 200,
    isFromApi: false,
  });
});

test.each(["<", "<a ", "<script>", "<style a>x", "</script"])(
  "the time to quote a page grows in proportion to its size, although it consists of %j",
  (part) => {
    const costOf = (characters: number) => {
      const page = part.repeat(characters / part.length);
      const costs = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        for (let times = 0; times < 50_000 / characters; times += 1) errorOf(502, page);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...costs);
    };
    costOf(5000);

    // As many characters at once as ten times a tenth of them: in quadratic time this would be ten times as much.
    expect(costOf(50_000) / costOf(5000)).toBeLessThan(4);
  },
);

describe("a response is quoted safely:", () => {
  test("a secret is redacted before the text is cut, wherever it stands", () => {
    const redact = (text: string) => text.replaceAll("a-long-secret", "***");

    for (const text of [validation(item(["a-long-secret"], "x")), `${"x".repeat(495)}a-long-secret`]) {
      expect(errorOf(500, text, {}, redact).message).not.toContain("a-long");
    }
    expect(errorOf(302, "", { location: "https://a-long-secret" }, redact).message).toContain("https://***");
  });

  test("message and findings are single lines of bounded length without commands or the query", () => {
    const text = fc.oneof(
      anyText(),
      fc.json(),
      anyText().map((detail) => JSON.stringify({ detail })),
      fc
        .array(fc.string(), { maxLength: 3 })
        .map((all) => validation(...all.map((msg) => item([msg], `::error::\n${msg}`)))),
    );

    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), text, (status, body) => {
        const { message, findings } = errorOf(status, body);
        for (const line of [message, ...findings]) {
          expect(line).not.toMatch(/[\r\n]|hidden/);
          expect(parseCommand(line, () => true)).toBeUndefined();
        }
      }),
    );
    expect(errorOf(500, "x".repeat(100_000)).message.length).toBeLessThan(700);
  });
});
