import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { InputErrors } from "../../../src/inputs/errors.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { anyText } from "../support/any-text.ts";

/** A reader of one input named `x`. */
function readerOf(value: string | undefined): InputReader {
  return new InputReader({ INPUT_X: value });
}

function problemOf(reader: InputReader): string | undefined {
  try {
    reader.finish(recordingContext({}).log);
  } catch (error) {
    if (error instanceof InputErrors) return error.message;
    throw error;
  }
  return undefined;
}

test("an input is found by its name in capitals, blanks as underscores", () => {
  const reader = new InputReader({ INPUT_TWO_WORDS: " v " });
  expect(reader.raw("two words")).toBe(" v ");
  expect(reader.optional("two words")).toBe("v");
  expect(reader.required("two words")).toBe("v");
  expect(problemOf(reader)).toBeUndefined();
});

describe("what isn't given or blank", () => {
  test.each([undefined, "", " \n\t"])("%j", (value) => {
    const reader = readerOf(value);
    expect(reader.optional("x")).toBeUndefined();
    expect(reader.boolean("x")).toBeUndefined();
    expect(reader.jsonObject("x")).toBeUndefined();
    expect(reader.wholeNumber("x", 0)).toBeUndefined();
    expect(reader.list("x")).toEqual([]);
    expect(reader.seconds("x", 7)).toBe(7_000);
    expect(reader.oneOf("x", ["red", "blue"], "blue")).toBe("blue");
    expect(problemOf(reader)).toBeUndefined();
    expect(reader.required("x")).toBe("");
    expect(problemOf(reader)).toBe("Input x has to be given.");
  });
});

describe("booleans", () => {
  test.each([
    ["true", true],
    ["True", true],
    ["TRUE", true],
    [" false\n", false],
    ["False", false],
    ["FALSE", false],
  ])("%j: %p", (value, expected) => expect(readerOf(value).boolean("x")).toBe(expected));

  test.each([
    "yes",
    "no",
    "1",
    "0",
    "on",
    "tRUE",
    "true false",
    "null",
    "untrue",
    "falsehood",
    "truely",
    "unfalse",
    "tRuE",
  ])("not %s", (value) => {
    const reader = readerOf(value);
    expect(reader.boolean("x")).toBeUndefined();
    expect(problemOf(reader)).toBe(`Input x has to be true or false, not "${value}".`);
  });
});

describe("seconds", () => {
  test.each([
    ["1", 1_000],
    ["0.5", 500],
    [" 30 ", 30_000],
    ["2.01", 2_010],
    ["0.0001", 1],
    ["86400", 86_400_000],
    ["007", 7_000],
  ])("%s: %d ms", (value, expected) => {
    const reader = readerOf(value);
    expect(reader.seconds("x", 7)).toBe(expected);
    expect(problemOf(reader)).toBeUndefined();
  });

  test.each([
    "0",
    "0.0",
    "-1",
    "+1",
    "1e3",
    "1,5",
    ".5",
    "5.",
    "0x10",
    "Infinity",
    "NaN",
    "86400.1",
    "1 2",
    "30s",
  ])("not %s", (value) => {
    const reader = readerOf(value);
    expect(reader.seconds("x", 7)).toBe(7_000);
    expect(problemOf(reader)).toContain(
      `Input x has to be a number of seconds above 0 and up to 86400, not "${value}"`,
    );
  });

  test("are whole milliseconds, which timers want, at least one", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 86_400, noNaN: true }), (seconds) => {
        const text = seconds.toFixed(20);
        fc.pre(Number(text) > 0);
        const milliseconds = readerOf(text).seconds("x", 7);
        expect(Number.isInteger(milliseconds)).toBe(true);
        expect(milliseconds).toBeGreaterThanOrEqual(1);
        expect(Math.abs(milliseconds - seconds * 1_000)).toBeLessThan(1.001);
      }),
    );
  });
});

describe("whole numbers", () => {
  test("from the least on", () => {
    expect(readerOf("3").wholeNumber("x", 3)).toBe(3);
    expect(readerOf("12").wholeNumber("x", 3)).toBe(12);
  });

  test.each(["2", "-3", "3.0", "3e1", "three", "9007199254740993"])("not %s", (value) => {
    const reader = readerOf(value);
    expect(reader.wholeNumber("x", 3)).toBeUndefined();
    expect(problemOf(reader)).toContain(`Input x has to be a whole number of at least 3, not "${value}"`);
  });
});

describe("one of several texts", () => {
  const colours = ["red", "blue", "green"] as const;

  test("is taken as it is spelled", () => {
    const reader = readerOf(" blue\n");
    expect(reader.oneOf("x", colours, "green")).toBe("blue");
    expect(problemOf(reader)).toBeUndefined();
  });

  test.each(["Blue", "blu", "red, blue", "toString"])("is not %s", (value) => {
    const reader = readerOf(value);
    expect(reader.oneOf("x", colours, "green")).toBe("green");
    expect(problemOf(reader)).toBe(`Input x has to be one of red, blue, green, not "${value}".`);
  });

  test("is said to be this or that where there are two", () => {
    const reader = readerOf("purple");
    expect(reader.oneOf("x", ["red", "blue"], "red")).toBe("red");
    expect(problemOf(reader)).toBe('Input x has to be red or blue, not "purple".');
  });
});

test("lists are by line or comma", () => {
  expect(readerOf(" a, b\r\n\r\nc ,,\rd").list("x")).toEqual(["a", "b", "c", "d"]);
});

describe("JSON objects", () => {
  test("come as they are", () => {
    const text = '{"a": {"b": [1, null]}, "__proto__": {"c": 1}}';
    const reader = readerOf(` ${text}\n`);
    expect(reader.jsonObject("x")).toEqual(JSON.parse(text));
    expect(problemOf(reader)).toBeUndefined();
  });

  test.each([...["[]", "1", "null", '"{}"', "{", "{}{}", "{} {}", "undefined", "{'a': 1}", "{a: 1}"]])(
    "not %s",
    (value) => {
      const reader = readerOf(value);
      expect(reader.jsonObject("x")).toBeUndefined();
      expect(problemOf(reader)).toBe("Input x has to be a JSON object.");
    },
  );
});

test("everything that is wrong is thrown at once, in order", () => {
  const reader = new InputReader({ INPUT_B: "maybe" });
  reader.required("a");
  reader.boolean("b");
  reader.refuse("c", "is odd");
  expect(() => reader.finish(recordingContext({}).log)).toThrow(
    expect.objectContaining({
      message: "3 inputs can't be used.",
      items: ["Input a has to be given.", 'Input b has to be true or false, not "maybe".', "Input c is odd."],
    }),
  );
});

test("an input that is wrong in two ways counts once", () => {
  const reader = new InputReader({});
  reader.refuse("a", "is odd");
  reader.refuse("a", "is old");
  expect(() => reader.finish(recordingContext({}).log)).toThrow("Input a can't be used, for 2 reasons.");
});

test("what is said twice is told once", () => {
  const reader = new InputReader({});
  reader.required("a");
  reader.refuse("a", "is odd");
  reader.refuse("b", "is odd");
  reader.required("a");
  expect(() => reader.finish(recordingContext({}).log)).toThrow(
    expect.objectContaining({ items: ["Input a has to be given.", "Input a is odd.", "Input b is odd."] }),
  );
});

test("remarks are told in order, each once, also where something is refused", () => {
  const { log, recorded } = recordingContext({});
  const reader = new InputReader({});
  reader.remark("warning", "This may not be meant.");
  reader.remark("notice", "This is so.");
  reader.remark("warning", "This may not be meant.");
  reader.required("a");
  expect(() => reader.finish(log)).toThrow("Input a has to be given.");
  expect(recorded.lines).toEqual([
    { kind: "warning", text: "This may not be meant." },
    { kind: "notice", text: "This is so." },
  ]);
});

test("a quoted value is one short line", () => {
  const reader = readerOf(`::error::\r\n${"x".repeat(500)}`);
  reader.boolean("x");
  expect(problemOf(reader)).toMatch(/^Input x has to be true or false, not ": :error:: x+…"\.$/);
});

test("no value makes it throw anything but InputErrors, and that only at the end", () => {
  fc.assert(
    fc.property(anyText(), (value) => {
      const reader = readerOf(value);
      reader.required("x");
      reader.boolean("x");
      reader.seconds("x", 1);
      reader.wholeNumber("x", 0);
      reader.jsonObject("x");
      reader.oneOf("x", ["a", "b"], "a");
      reader.list("x");
      problemOf(reader);
    }),
  );
});
