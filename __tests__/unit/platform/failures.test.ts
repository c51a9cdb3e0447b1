import { expect, test } from "@jest/globals";
import { ActionError } from "../../../src/errors.ts";
import { ConnectionError } from "../../../src/http/errors.ts";
import { ResponseError } from "../../../src/http/response-error.ts";
import {
  ifFound,
  isNotFound,
  isWorthRetrying,
  lacksEndpoint,
  mayHaveTakenEffect,
} from "../../../src/platform/error-kinds.ts";
import { requestTo } from "../http/support/request-to.ts";

const connection = (sent: boolean) =>
  new ConnectionError(requestTo("https://host.example/"), "it failed", { sent, retryable: true, hint: "" });
const response = (status: number, isFromApi = true) =>
  new ResponseError("It failed.", { status, isFromApi, hint: "" });
const other = (code: string) => new ActionError("It failed.", { code, hint: "" });

test.each<[string, Error, string[]]>([
  ["a connection error before the request was sent", connection(false), ["isWorthRetrying"]],
  [
    "a connection error after the request was sent",
    connection(true),
    ["mayHaveTakenEffect", "isWorthRetrying"],
  ],
  ["an unexpected success", response(200, false), ["mayHaveTakenEffect", "isWorthRetrying"]],
  ["a redirect", response(307), ["mayHaveTakenEffect", "isWorthRetrying"]],
  ["400", response(400), ["isWorthRetrying"]],
  ["401", response(401), []],
  ["403", response(403), []],
  ["404 of the API", response(404), ["lacksEndpoint", "isNotFound", "isWorthRetrying"]],
  ["404 of something else", response(404, false), ["isWorthRetrying"]],
  ["405", response(405), ["lacksEndpoint", "isWorthRetrying"]],
  ["409", response(409), ["isWorthRetrying"]],
  ["499", response(499), ["isWorthRetrying"]],
  ["500", response(500), ["mayHaveTakenEffect", "isWorthRetrying"]],
  ["501 of the API", response(501), ["mayHaveTakenEffect", "lacksEndpoint", "isWorthRetrying"]],
  ["501 of something else", response(501, false), ["mayHaveTakenEffect", "isWorthRetrying"]],
  ["an id that no address can hold", other("invalid_id"), []],
  ["any other error of the action", other("test"), ["isWorthRetrying"]],
])("%s says what it says", (_what, error, expected) => {
  const said = Object.entries({
    mayHaveTakenEffect: mayHaveTakenEffect(error),
    lacksEndpoint: lacksEndpoint(error),
    isNotFound: isNotFound(error),
    isWorthRetrying: error instanceof ActionError && isWorthRetrying(error),
  }).filter(([, holds]) => holds);

  expect(said.map(([name]) => name)).toEqual(expected);
});

test("a bug says nothing about the platform", () => {
  const bug = new TypeError("x is not a function");

  for (const says of [mayHaveTakenEffect, lacksEndpoint, isNotFound]) expect(says(bug)).toBe(false);
});

test("what does not exist is undefined, and any other error of a read is thrown", async () => {
  const forbidden = response(403);

  expect(await ifFound(Promise.resolve("it"))).toBe("it");
  expect(await ifFound(Promise.reject(response(404)))).toBeUndefined();
  await expect(ifFound(Promise.reject(forbidden))).rejects.toBe(forbidden);
});
