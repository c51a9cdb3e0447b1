import { describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { arrayOf, IdSchema, orAbsent } from "../../../src/text/schemas.ts";

describe("an id", () => {
  test.each(["r", "r-1", "0d5f8a3e-2a53-4c1b-9f44-6d0c1d2f3a4b", ".r", "..r", "...", "größe"])(
    "may be %j",
    (id) => {
      expect(v.parse(IdSchema, id)).toBe(id);
    },
  );

  test.each([
    ...["", ".", "..", "r 1", " r", "r ", "r\n", "\tr"],
    ...["r\u00001", "r\u001b[0m", "\u200br", "r\u00ad", "r\ufe0f", "r\u3164", 1, null],
  ])("can't be %j", (id) => {
    expect(v.is(IdSchema, id)).toBe(false);
  });
});

test.each([
  [{ name: "a" }, "a"],
  [{ name: 1 }, undefined],
  [{ name: null }, undefined],
  [{}, undefined],
])("of %j, a name that is not as expected counts as absent", (response, name) => {
  const schema = v.object({ name: orAbsent(v.string()) });

  expect(v.parse(schema, response).name).toBe(name);
});

test.each([
  [
    ["a", "b"],
    ["a", "b"],
  ],
  [[], []],
  [null, []],
])("%j is the list %j", (response, list) => {
  expect(v.parse(arrayOf(v.string()), response)).toEqual(list);
});

test.each([[undefined], ["a"], [["a", 1]]])("%j is not a list of texts", (response) => {
  expect(v.is(arrayOf(v.string()), response)).toBe(false);
});
