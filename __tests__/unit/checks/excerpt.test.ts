import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { closestPlace, excerptAround, firstDifference } from "../../../src/checks/smoke-test/excerpt.ts";

const same = (text: string) => text;

describe("the closest place of a text is", () => {
  test.each([
    ["where it is in other case", "xx PARIS Par", "Paris", 3],
    ["where most of its start is", "Par, Pari, Pa", "Paris", 5],
    ["the start, if nothing of it is there", "London", "Xy", 0],
    ["the start of an empty text", "", "Paris", 0],
  ])("the closest place is %s", (_what, text, wanted, place) => {
    expect(closestPlace(text, wanted)).toBe(place);
  });

  test("that of the longest start, for any texts", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });

    fc.assert(
      fc.property(letters, letters, (text, wanted) => {
        fc.pre(wanted !== "" && !text.includes(wanted));
        const starts = [...wanted].map((_letter, index) => wanted.slice(0, index + 1));
        const longest = starts.findLast((start) => text.includes(start)) ?? "";

        expect(closestPlace(text, wanted)).toBe(text.indexOf(longest));
      }),
    );
  });
});

test.each([
  ["", "", 0],
  ["abc", "abd", 2],
  ["abc", "abc", 3],
  ["ab", "abc", 2],
  ["abc", "ab", 2],
])("%j and %j differ first at %d", (one, other, place) => {
  expect(firstDifference(one, other)).toBe(place);
});

describe("an excerpt", () => {
  test("is all of a short text, in one line", () => {
    expect(excerptAround(" a\n##[error]b ", () => 5, same)).toBe("a ## [error]b");
  });

  test("shows some of what is before and after the place", () => {
    const text = `${"a".repeat(200)}X${"b".repeat(1000)}`;

    const excerpt = excerptAround(text, (one) => one.indexOf("X"), same);

    expect(excerpt).toBe(`…${"a".repeat(80)}X${"b".repeat(318)}…`);
  });

  test("is redacted before it is cut, and around the place that the redaction moved", () => {
    const secret = "s".repeat(500);
    const redact = (text: string) => text.replaceAll(secret, "***");

    const excerpt = excerptAround(`${secret}X${secret}`, (one) => one.indexOf("X"), redact);

    expect(excerpt).toBe("***X***");
  });

  test("of a huge text redacts only what is around the place", () => {
    let redacted = 0;
    const redact = (text: string) => {
      redacted = text.length;
      return text;
    };

    excerptAround(`${"a".repeat(100_000)}X${"b".repeat(100_000)}`, (one) => one.indexOf("X"), redact);

    expect(redacted).toBe(40_000);
  });

  test("of blanks is empty", () => {
    expect(excerptAround(`${" ".repeat(200)}`, () => 150, same)).toBe("");
  });
});
