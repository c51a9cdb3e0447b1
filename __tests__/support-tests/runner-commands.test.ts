import { expect, test } from "@jest/globals";
import { parseCommand } from "../support/runner/command-parser.ts";
import { lastOfEach, parseFileCommands } from "../support/runner/file-commands.ts";
import { SecretMasker } from "../support/runner/secret-masker.ts";
import { readStepLog } from "../support/runner/step-log-reader.ts";

const commands = new Set(["error", "add-mask", "warning"]);
const parse = (line: string) => parseCommand(line, (name) => commands.has(name.toLowerCase()));

test.each([
  ["::error::text", { name: "error", properties: {}, data: "text" }],
  [" \t\u00a0::error::text ", { name: "error", properties: {}, data: "text " }],
  ["::ERROR::text", { name: "ERROR", properties: {}, data: "text" }],
  ["::error::a::b", { name: "error", properties: {}, data: "a::b" }],
  ["::error::", { name: "error", properties: {}, data: "" }],
  ["::error title=x::text", { name: "error", properties: { title: "x" }, data: "text" }],
  [
    "::error  file=a=b,,line==3=,empty=,bare::text",
    { name: "error", properties: { file: "a=b", line: "3=" }, data: "text" },
  ],
  ["::error Title=x,TITLE=y::", { name: "error", properties: { Title: "y" }, data: "" }],
  [
    "::error title=%3A%2C%0A%25::%0D%0A%3A%25",
    { name: "error", properties: { title: ":,\n%" }, data: "\r\n%3A%" },
  ],
  ["::error::%250A", { name: "error", properties: {}, data: "%0A" }],
  ["anywhere ##[error]text", { name: "error", properties: {}, data: "text" }],
  [
    "##[error file=a,b;line=3;title=%5D%3B]te%5Dxt%25",
    { name: "error", properties: { file: "a,b", line: "3", title: "];" }, data: "te]xt%" },
  ],
  ["::unknown::##[warning]text", { name: "warning", properties: {}, data: "text" }],
  ["::error:\u200b:text", { name: "error", properties: {}, data: ":text" }],
])("%j is a command", (line, command) => {
  expect(parse(line)).toEqual(command);
});

test.each([
  "x ::error::text",
  "::error:text",
  ":error::text",
  ":: error::text",
  "::::text",
  "::unknown::text",
  "::toString::text",
  "::error,title=x::text",
  "##[unknown]text",
  "##[unknown] ##[error]text",
  "##[error text",
  "##[]",
  "# #[error]text",
  ":\u200b:error::text",
  "\ufeff::error::text",
  "",
])("%j is not a command", (line) => {
  expect(parse(line)).toBeUndefined();
});

test("a mask of several lines hides each of them in later lines, and not in earlier ones", () => {
  const log = readStepLog("s3cret-a first\n::add-mask::s3cret-a%0A  s3cret-b\nx s3cret-b y s3cret-a");

  expect(log.lines).toEqual(["s3cret-a first", "x *** y ***"]);
  expect(log.masks).toEqual(["s3cret-a\n  s3cret-b", "s3cret-a", "s3cret-b"]);
  expect(log.masked("one s3cret-a\ntwo")).toBe("one ***\ntwo");
  expect(log.hides("s3cret-b")).toBe(true);
  expect(log.hides("nothing")).toBe(false);
});

const secret = `pa"ss'<wörd>&+more&half`;
test.each([
  ["plain text", secret],
  ["base64", Buffer.from(secret).toString("base64")],
  ["base64 from its second byte", Buffer.from(secret).subarray(1).toString("base64")],
  ["base64 from its third byte", Buffer.from(secret).subarray(2).toString("base64")],
  ["URI", "pa%22ss%27%3Cw%C3%B6rd%3E%26%2Bmore%26half"],
  ["JSON", `pa\\"ss'<wörd>&+more&half`],
  ["XML", "pa&quot;ss&apos;&lt;wörd&gt;&amp;+more&amp;half"],
  ["expression", `pa"ss''<wörd>&+more&half`],
  ["the text before a coloured letter", `pa"ss'<wörd>&+`],
  ["the text after a coloured letter", "ore&half"],
])("a secret is masked as %s", (_, form) => {
  const masker = new SecretMasker();
  masker.add(secret);

  expect(masker.mask(`[${form}]`)).toBe("[***]");
});

test("a secret in hexadecimal is not masked", () => {
  const masker = new SecretMasker();
  masker.add("secret-value");
  const hex = Buffer.from("secret-value").toString("hex");

  expect(masker.mask(hex)).toBe(hex);
});

test("a command file has entries of one or several lines, and the last of each name counts", () => {
  const file = parseFileCommands("a=1\n\nb<<END\nline 1\nx=y\n\nEND\nc<<END\nEND\nd=x<<y\r\na==2");

  expect(file).toEqual({
    error: undefined,
    entries: [
      { name: "a", value: "1" },
      { name: "b", value: "line 1\nx=y\n" },
      { name: "c", value: "" },
      { name: "d", value: "x<<y\r" },
      { name: "a", value: "=2" },
    ],
  });
  expect(lastOfEach(file.entries)).toEqual({ a: "=2", b: "line 1\nx=y\n", c: "", d: "x<<y\r" });
});

test.each([
  ["a=1\nnonsense\nb=2", "Invalid format"],
  ["a=1\n=2", "Invalid format"],
  ["a=1\n<<END\nEND\n", "must not be empty"],
  ["a=1\nb<<\nx\n", "must not be empty"],
  ["a=1\nb<<END\nx\n", "Matching delimiter not found"],
  ["a=1\nb<<END\nx", "missing new line"],
])("the command file %j is an error, and the entry before the error counts", (text, message) => {
  const file = parseFileCommands(text);

  expect(file.error).toContain(message);
  expect(file.entries).toEqual([{ name: "a", value: "1" }]);
});
