import { expect, test } from "@jest/globals";
import { CsvHead } from "../../../src/usage/csv-head.ts";

/** What comes of a text that arrives in chunks of so many bytes. */
function look(text: string, size: number): boolean {
  const head = new CsvHead();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    if (!head.add(bytes.subarray(at, at + size))) return false;
  }
  return head.end();
}

const sizes = [1, 7, 10_000];

test.each([
  ["the header of the API", "Time Bucket Start,Time Bucket End,Traces\r\n1,2,3\r\n"],
  ["the header alone, without a line end", "Time Bucket Start,Traces"],
  ["another delimiter, quotes and a byte order mark", '\ufeff"Traces";"Time Bucket Start"\n'],
])("%s is an export, however it arrives", (_, text) => {
  expect(sizes.map((size) => look(text, size))).toEqual([true, true, true]);
});

test.each([
  ["nothing", ""],
  ["an empty line", "\r\nTime Bucket Start"],
  ["HTML", "<html>\nTime Bucket Start"],
  ["the start of a header", "Time Bucket St"],
  ["a long line", `${"x".repeat(5000)}Time Bucket Start`],
])("%s is none", (_, text) => {
  expect(sizes.map((size) => look(text, size))).toEqual([false, false, false]);
});
