import { expect, test } from "@jest/globals";
import { outputLines, parseCommand } from "../support/runner/command-parser.ts";
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

test("output is cut into lines at \\n, \\r\\n and \\r", () => {
  expect(outputLines("a\nb\r\nc\rd\n\ne")).toEqual(["a", "b", "c", "d", "", "e"]);
  expect(outputLines("")).toEqual([]);
});

test("a step's log has annotations, groups, debug messages and masks", () => {
  const log = readStepLog(
    [
      "hello",
      "::group::Title",
      "::debug::detail",
      "::endgroup::",
      "::group::Left open",
      "::warning file=a.ts,line=3,col=4,endLine=3,endColumn=9,title=T::careful%0Anow",
      "::notice::done",
      "::error::broken",
    ].join("\n"),
  );

  expect(log.annotations).toEqual([
    {
      level: "warning",
      message: "careful\nnow",
      title: "T",
      file: "a.ts",
      line: "3",
      column: "4",
      endLine: "3",
      endColumn: "9",
      kept: true,
    },
    { level: "notice", message: "done", kept: true },
    { level: "error", message: "broken", kept: true },
  ]);
  expect(log.groups).toEqual([
    { title: "Title", closed: true },
    { title: "Left open", closed: false },
  ]);
  expect(log.debug).toEqual(["detail"]);
  expect(log.lines).toEqual([
    "hello",
    "##[group]Title",
    "##[endgroup]",
    "##[group]Left open",
    "##[warning]careful",
    "now",
    "##[notice]done",
    "##[error]broken",
  ]);
  expect(log.commands.map(({ name }) => name)).toEqual([
    ..."group,debug,endgroup,group,warning,notice,error".split(","),
  ]);
});

test("debug messages are in the log if debug logging is on", () => {
  expect(readStepLog("::debug::detail", { debug: true }).lines).toEqual(["##[debug]detail"]);
});

test("a mask of several lines hides each of them in later lines, and not in earlier ones", () => {
  const log = readStepLog("s3cret-a first\n::add-mask::s3cret-a%0A  s3cret-b\nx s3cret-b y s3cret-a");

  expect(log.lines).toEqual(["s3cret-a first", "x *** y ***"]);
  expect(log.masks).toEqual(["s3cret-a\n  s3cret-b", "s3cret-a", "s3cret-b"]);
  expect(log.masked("one s3cret-a\ntwo")).toBe("one ***\ntwo");
  expect(log.hides("s3cret-b")).toBe(true);
  expect(log.hides("nothing")).toBe(false);
});

test("an empty mask causes a warning", () => {
  const log = readStepLog("::add-mask:: \nplain");

  expect(log.masks).toEqual([]);
  expect(log.annotations).toEqual([
    { level: "warning", message: expect.stringContaining("empty string"), kept: true },
  ]);
});

test("secrets of the job are masked from the start, in annotations too", () => {
  const log = readStepLog("::error::it was hunter22", { secrets: ["hunter22"] });

  expect(log.annotations).toEqual([{ level: "error", message: "it was ***", kept: true }]);
});

test("stopped commands have no effect", () => {
  const log = readStepLog(
    "::stop-commands::resume-me\n::error::no\n##[warning]no\n::RESUME-me::\n::error::yes",
  );

  expect(log.commands.map(({ name, effect }) => [name, effect])).toEqual([
    ["stop-commands", "run"],
    ["error", "stopped"],
    ["warning", "stopped"],
    ["RESUME-me", "run"],
    ["error", "run"],
  ]);
  expect(log.annotations.map(({ message }) => message)).toEqual(["yes"]);
  expect(log.lines).toEqual([
    "::stop-commands::***",
    "::error::no",
    "##[warning]no",
    "::RESUME-me::",
    "##[error]yes",
  ]);
});

test("an unknown command is printed", () => {
  const log = readStepLog("::nonsense a=b::data");

  expect(log.lines).toEqual(["::nonsense a=b::data"]);
  expect(log.commands).toEqual([
    { name: "nonsense", properties: { a: "b" }, data: "data", effect: "unknown" },
  ]);
});

test("echo shows the commands that print nothing themselves", () => {
  const log = readStepLog(
    "::echo::on\n::save-state name=a::b\n::add-mask::hide-me\n::echo::off\n::set-output name=c::d",
  );

  expect(log.lines).toEqual(["::save-state name=a::b", "::add-mask::***", "::echo::off"]);
  expect(log.state).toEqual({ a: "b" });
  expect(log.outputs).toEqual({ c: "d" });
});

test.each([
  "::set-env name=A::b",
  "::add-path::/bin",
  "::echo::maybe",
  "::set-output::x",
  "::stop-commands::error",
])("the command %s is refused", (line) => {
  const log = readStepLog(line);

  expect(log.refused).toHaveLength(1);
  expect(log.annotations.map(({ level }) => level)).toEqual(["error", "error"]);
});

test("GitHub keeps ten annotations of each level, and 4,096 characters of each", () => {
  const log = readStepLog(`${"::error::no\n".repeat(11)}::notice::${"x".repeat(5_000)}`);

  expect(log.annotations.map(({ kept }) => kept)).toEqual([...Array(10).fill(true), false, true]);
  expect(log.annotations.at(-1)?.message).toHaveLength(4_096);
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

test("hidden parts that touch or overlap become one", () => {
  const masker = new SecretMasker();
  masker.add("abcd");
  masker.add("cdef");

  expect(masker.mask("abcdef abcdabcd x")).toBe("*** *** x");
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
