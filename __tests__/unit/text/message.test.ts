import { expect, test } from "@jest/globals";
import {
  code,
  count,
  distinct,
  duration,
  idText,
  inputName,
  joined,
  link,
  listFirst,
  listOf,
  phrase,
  quote,
  quoteSentence,
  rawText,
  shortened,
  size,
  text,
  withoutFullStop,
} from "../../../src/text/message.ts";

test("a message keeps its words and its values apart", () => {
  const message = text`Revision ${code("r-1")} has ${2} problems.`;

  expect(message.parts).toEqual([
    "Revision ",
    { kind: "code", raw: "r-1", maxLength: 300 },
    " has ",
    "2",
    " problems.",
  ]);
});

test("a message in a message becomes part of it, and what is undefined is left out", () => {
  const reason = text` It was ${code("BUILDING")}.`;

  expect(rawText(text`Nothing yet.${reason}${undefined}`)).toBe("Nothing yet. It was BUILDING.");
});

test("joined messages have one separator between those that are there", () => {
  expect(rawText(joined([undefined, text`One.`, undefined, text`Two.`]))).toBe("One. Two.");
  expect(rawText(joined([]))).toBe("");
});

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("the list of %j reads %j", (items, expected) => {
  expect(rawText(listOf(items.map((item) => code(item))))).toBe(expected);
});

test("a list of alternatives ends in or", () => {
  expect(rawText(listOf([code("us"), code("eu"), code("apac")], "or"))).toBe("us, eu or apac");
});

test.each([
  ["an id", () => idText("r-1"), { kind: "id", raw: "r-1", maxLength: 100 }],
  [
    "an address",
    () => link(new URL("https://a.example")),
    { kind: "url", raw: "https://a.example/", maxLength: 2000 },
  ],
  ["a quotation", () => quote("No."), { kind: "quote", raw: "No.", maxLength: 500 }],
  ["a quotation of a given length", () => quote("No.", 9), { kind: "quote", raw: "No.", maxLength: 9 }],
  ["an input", () => inputName("name"), { kind: "input", raw: "name", maxLength: 100 }],
])("%s keeps its kind, its text and how much of it is shown", (_what, create, expected) => {
  expect(create()).toEqual({ parts: [expected] });
});

test("a shortened message shows at most that much of each value", () => {
  const message = phrase`${code("a", 9)} of ${code("b", 900)}`;

  expect(shortened(message, 150)).toEqual({
    parts: [
      "",
      { kind: "code", raw: "a", maxLength: 9 },
      " of ",
      { kind: "code", raw: "b", maxLength: 150 },
      "",
    ],
  });
});

test("messages that read the same are one, and only the first of many are listed", () => {
  expect(distinct([text`a ${code("b")}`, text`c`, text`a b`]).map(rawText)).toEqual(["a b", "c"]);
  expect(rawText(listFirst(Array.from("abcde", (name) => code(name))))).toBe("a, b, c, d, e");
  expect(rawText(listFirst(Array.from("abcdefg", (name) => code(name))))).toBe("a, b, c, d, e, 2 more");
  expect(rawText(text`${duration(95_000)} ${count(1234)} ${size(1536)}`)).toBe("1 min 35 s 1,234 1.5 KiB");
});

test.each([
  [" No. Try again.\n", "No. Try again"],
  ["Wait...", "Wait..."],
  ["No", "No"],
])("the sentence %j is quoted as %j", (sentence, quoted) => {
  expect(quoteSentence(sentence, 9)).toEqual(quote(quoted, 9));
});

test("only the full stop at the end of a message's own words is left out", () => {
  expect(withoutFullStop(text`One. ${code("a.")} two. Three.`)).toEqual(text`One. ${code("a.")} two. Three`);
  expect(rawText(withoutFullStop(text`One. ${text`Two ${code("a")}.`}`))).toBe("One. Two a");
  expect(withoutFullStop(joined([text`One.`, code("a.")]))).toEqual(joined([text`One.`, code("a.")]));
});
