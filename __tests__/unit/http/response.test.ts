import { expect, test } from "@jest/globals";
import { connectionFailure, RequestError } from "../../../src/http/request-error.ts";
import {
  describeResponse,
  type HttpResponse,
  isUnauthorized,
  requireSuccess,
  unexpectedResponseFailure,
} from "../../../src/http/response.ts";
import { requestedDelayMs } from "../../../src/http/retry.ts";
import { type Message, phrase, rawText } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { requestTo } from "./support/request-to.ts";

const request = requestTo("https://host.example/api-host/v2/deployments?key=hidden", { method: "POST" });

function responseOf(status: number, body: string, headers = {}): HttpResponse {
  return { request, status, headers, body, bytes: Buffer.from(body) };
}

function errorOf(status: number, body: string, headers = {}): RequestError {
  try {
    requireSuccess(responseOf(status, body, headers));
  } catch (error) {
    if (error instanceof RequestError) return error;
  }
  throw new Error("There is no RequestError.");
}

/** As the log shows it. */
function plain(message: Message): string {
  return recordingContext({}).report.render.plain(message);
}

const item = (loc: unknown[], msg: string) => ({ loc, msg, type: "t" });
const validation = (...detail: unknown[]) => JSON.stringify({ detail });

test.each<[string, number, string, string]>([
  ["the detail", 400, '{"detail": "Reserved name"}', '400: "Reserved name".'],
  ["the detail without its full stop", 400, '{"detail": "It is reserved."}', '400: "It is reserved".'],
  ["a detail that ends with an ellipsis", 400, '{"detail": "Wait..."}', '400: "Wait...".'],
  [
    "the place and message of a single validation error",
    422,
    validation(item(["body", "a", 0], "bad")),
    '422: body.a.0: "bad".',
  ],
  ["a validation error without a place", 422, validation(item([], "bad")), '422: "bad".'],
  [
    "the number of several validation errors",
    422,
    validation(item(["a"], "x"), item([], "y")),
    "422: 2 validation errors.",
  ],
  ["the body if its detail has another shape", 422, '{"detail": ["x"]}', '422: "{"detail": ["x"]}".'],
  ["the body if it has no detail", 422, "{}", '422: "{}".'],
  ["the body if it is another JSON value", 400, "null", '400: "null".'],
  ["that the body is empty", 500, "", "500: the response contains no text."],
  ["that the detail is empty", 500, '{"detail": ""}', "500: the response contains no text."],
  ["that the body is blank", 500, " \n ", "500: the response contains no text."],
  ["plain text in one line", 502, "Bad\r\nGateway", '502: "Bad Gateway".'],
  ["a page in one line", 404, "<html>\n  <h1>No</h1>\n</html>", '404: "<html> <h1>No</h1> </html>".'],
])("the message of a refused request quotes %s", (_what, status, body, expected) => {
  expect(plain(errorOf(status, body).ending.message)).toBe(
    `POST /api-host/v2/deployments failed with ${expected}`,
  );
});

test("the error of a redirect names its target without the query, which may be a credential", () => {
  const { message } = errorOf(302, "", { location: "https://login.example.com/x?signature=hidden" });

  expect(message).toContain("302: a redirect to https://login.example.com/x, which is not followed");
  expect(errorOf(302, "").message).toContain("302: a redirect, which is not followed");
});

test.each([
  [400, false],
  [401, true],
  [402, false],
  [403, true],
])("%d says that a key is missing or wrong: %s", (status, expected) => {
  expect(isUnauthorized(status)).toBe(expected);
});

test.each([200, 299])("a response with %d is a success", (status) => {
  const response = responseOf(status, "");

  expect(requireSuccess(response)).toBe(response);
});

test.each([
  [199, '199: "no".'],
  [300, "300: a redirect, which is not followed."],
  [399, "399: a redirect, which is not followed."],
  [400, '400: "no".'],
])("a response with %d is an error", (status, expected) => {
  expect(errorOf(status, "no").message).toContain(expected.replaceAll('"', ""));
});

const variable = { name: "KEY", value: 'a"b\\c' };
const inJson = JSON.stringify(variable);
const inJsonInJson = JSON.stringify({ input: inJson }).slice(1, -1);

test.each([
  ["JSON", inJson, '{"name":"KEY","value":"***"}'],
  ["JSON that is cut within the value", inJson.slice(0, -3), '{"name":"KEY","value":"***'],
  ["JSON with blanks", '{"value" : "a b", "x": 1}', '{"value" : "***", "x": 1}'],
  ["JSON within JSON", inJsonInJson, '"input":"{\\"name\\":\\"KEY\\",\\"value\\":\\"***\\"}"'],
  ["JSON within JSON, with blanks", String.raw`\"value\" : \"a\nb\"`, String.raw`\"value\" : \"***\"`],
  ["Python", "{'name': 'KEY', 'value': 'a\"b'}", "{'name': 'KEY', 'value': '***'}"],
  ["Python with a quotation mark in it", "{'value': 'a\\'b', 'x': 1}", "{'value': '***', 'x': 1}"],
  ["Python with an apostrophe in it", `{'value': "a'b", 'x': 1}`, `{'value': "***", 'x': 1}`],
  ["several lines", '{"value": "a\n b"}', '{"value": "***"}'],
  ["nothing but other fields", '{"values": "a", "name": "value"}', '{"values": "a", "name": "value"}'],
])("a refusal that shows a variable as %s is quoted without its value", (_what, body, expected) => {
  expect(rawText(describeResponse(responseOf(400, body)))).toBe(expected);
});

test.each([
  ["JSON", inJson],
  ["JSON within JSON", inJsonInJson],
])("the value of a variable that is no secret is quoted as %s", (_what, body) => {
  const plain = { ...request, publicValues: [variable.value] };

  expect(rawText(describeResponse({ ...responseOf(400, body), request: plain }))).toBe(body);
  expect(rawText(describeResponse(responseOf(400, body)))).toContain("***");
});

test.each([
  ["https://host.example", "HTTPS_PROXY"],
  ["http://host.example", "HTTP_PROXY"],
])("the general hint of a request to %s names its proxy", (address, proxy) => {
  const unreached = connectionFailure(requestTo(address), new Error("words"), false);

  expect(rawText(unreached.ending.hint)).toMatch(
    new RegExp(`reach host.example.* check ${proxy} .*NO_PROXY`),
  );
});

test("the place of a validation error is shown without the value of a secret", () => {
  const body = validation(item(["body", "{'name': 'A', 'value': 'hidden'}"], "bad"));

  expect(plain(errorOf(422, body).ending.message)).not.toContain("hidden");
});

test("several validation errors become problems, and a single one does not", () => {
  const two = [item(["a"], "x"), item(["b", 1], "y")];

  expect(errorOf(422, validation(...two)).ending.problems.map(({ message }) => plain(message))).toEqual([
    'a: "x".',
    'b.1: "y".',
  ]);
  expect(errorOf(422, validation(item(["a"], "x"))).ending.problems).toEqual([]);
});

test.each<[string, boolean]>([
  ['{"detail":"x"}', true],
  ["null", false],
  ['"Not Found"', false],
  ["404", false],
  ["<html>", false],
  ["", false],
  ["{", false],
])("a body of %j comes from the API: %p", (body, isFromApi) => {
  expect(errorOf(404, body)).toMatchObject({ reason: { status: 404, isFromApi } });
});

test.each<[string | undefined, number]>([
  [undefined, 0],
  ["", 0],
  ["0", 0],
  ["7", 7000],
  ["61", 60_000],
  ["-7", 0],
  ["soon", 0],
])("a Retry-After header of %j asks for %p ms, a minute at most", (header, delayMs) => {
  expect(requestedDelayMs(errorOf(429, "", { "retry-after": header }))).toBe(delayMs);
});

test.each([
  ["Fri, 02 Jan 2026 10:00:07 GMT", 7000],
  ["Fri, 02 Jan 2026 12:00:00 GMT", 60_000],
  ["Fri, 02 Jan 2026 09:00:00 GMT", 0],
])("a Retry-After date of %j asks for %p ms from the server's own date on", (header, delayMs) => {
  const date = "Fri, 02 Jan 2026 10:00:00 GMT";

  expect(requestedDelayMs(errorOf(429, "", { "retry-after": header, date }))).toBe(delayMs);
  expect(requestedDelayMs(errorOf(429, "", { "retry-after": header }))).toBe(0);
});

test("a success of an unexpected shape is an error that says what is wrong", () => {
  expect(unexpectedResponseFailure({ request, status: 200 }, phrase`the body is not JSON`)).toMatchObject({
    message: "POST /api-host/v2/deployments returned 200, but the body is not JSON.",
    reason: { status: 200, isFromApi: false },
  });
});

test("a huge response is not carried around whole", () => {
  expect(rawText(errorOf(500, "x".repeat(1_000_000)).ending.message).length).toBeLessThan(60_000);
});
