import { expect, test } from "@jest/globals";
import { readAgentHeaders } from "../../../src/inputs/agent-headers.ts";
import { reading } from "./support/reading.ts";

const read = (agent_headers: string) => reading({ agent_headers }, readAgentHeaders);

test.each<[string, string, Record<string, string>]>([
  ["nothing", "", {}],
  ["blank lines and comments", "\n \n# X-A: 1\n  # X-B: 2", {}],
  ["names in any case, which become lower case", "X-Key: a\nACCEPT: b", { "x-key": "a", accept: "b" }],
  ["blanks around names and values", "  X-Key :  a b \r\n", { "x-key": "a b" }],
  ["a colon or a # in a value", "X-Key: a:b#c#", { "x-key": "a:b#c#" }],
])("headers to the agent may have %s", (_what, text, result) => {
  expect(read(text)).toEqual({ result, problems: [], notes: [] });
});

test.each<[string, string, string]>([
  ["a line without a colon", "X-A: 1\ncontent", "(line 2) has no colon. Write each line as Name: value."],
  ["no name", ": content", "(line 1) has an invalid header name."],
  ["a name with a blank", "X A: content", "(line 1) has an invalid header name."],
  ["a name twice", "X-A: content\n\nx-a: content2", "(line 3) has the same name as another line."],
  ["a value that no header may have", "X-A: cöntent→", "(line 1) has a value with a line end or another"],
  ["an empty value", "X-A:", "(line 1) has an empty value. GitHub passes an empty string"],
])("headers to the agent cannot have %s, and no value is quoted", (_what, text, problem) => {
  const { problems } = read(text);

  expect(problems).toEqual([expect.stringContaining(`Input agent_headers ${problem}`)]);
  expect(problems.join()).not.toMatch(/c[oö]ntent/);
});
