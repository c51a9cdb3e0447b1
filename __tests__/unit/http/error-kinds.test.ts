import { expect, test } from "@jest/globals";
import { Failure } from "../../../src/errors.ts";
import {
  isNotFound,
  isUnsupported,
  mayBeUnknownId,
  mayHaveTakenEffect,
  mayKeepPolling,
} from "../../../src/http/request-error.ts";
import { text } from "../../../src/text/message.ts";
import { badResponse, noResponse } from "./support/failed.ts";

const response = (status: number, isFromApi = true) => badResponse(status, { isFromApi });
const other = () => new Failure(text`It failed.`, { hint: text`` });

test.each<[string, Error, string[]]>([
  ["a connection error before the request was sent", noResponse(false), ["mayKeepPolling"]],
  [
    "a connection error after the request was sent",
    noResponse(true),
    ["mayHaveTakenEffect", "mayKeepPolling"],
  ],
  ["an unexpected success", response(200, false), ["mayHaveTakenEffect", "mayKeepPolling"]],
  ["a redirect", response(307), ["mayHaveTakenEffect", "mayKeepPolling"]],
  ["400", response(400), ["mayBeUnknownId", "mayKeepPolling"]],
  ["401", response(401), []],
  ["403", response(403), []],
  ["404 of the API", response(404), ["isUnsupported", "isNotFound", "mayBeUnknownId", "mayKeepPolling"]],
  ["404 of something else", response(404, false), ["mayKeepPolling"]],
  ["405", response(405), ["isUnsupported", "mayKeepPolling"]],
  ["409", response(409), ["mayKeepPolling"]],
  ["422", response(422), ["mayBeUnknownId", "mayKeepPolling"]],
  ["499", response(499), ["mayKeepPolling"]],
  ["500", response(500), ["mayHaveTakenEffect", "mayKeepPolling"]],
  ["501 of the API", response(501), ["isUnsupported", "mayKeepPolling"]],
  ["501 of something else", response(501, false), ["mayHaveTakenEffect", "mayKeepPolling"]],
  ["any other error of the action", other(), []],
])("%s says what it says", (_what, error, expected) => {
  const said = Object.entries({
    mayHaveTakenEffect: mayHaveTakenEffect(error),
    isUnsupported: isUnsupported(error),
    isNotFound: isNotFound(error),
    mayBeUnknownId: mayBeUnknownId(error),
    mayKeepPolling: error instanceof Failure && mayKeepPolling(error),
  }).filter(([, holds]) => holds);

  expect(said.map(([name]) => name)).toEqual(expected);
});

test("a bug says nothing about the platform", () => {
  const bug = new TypeError("x is not a function");

  for (const says of [mayHaveTakenEffect, isUnsupported, isNotFound, mayBeUnknownId])
    expect(says(bug)).toBe(false);
});
