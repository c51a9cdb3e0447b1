import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect, test } from "@jest/globals";
import { csvFilter } from "../../../src/usage/client.ts";

/** What the filter passes on of a body that arrives in chunks of this many bytes. */
async function filtered(body: string, chunkSize: number): Promise<string> {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkSize) chunks.push(bytes.subarray(at, at + chunkSize));
  const filter = csvFilter(
    () => new Error("not CSV"),
    () => {},
  );
  const [, passed] = await Promise.all([pipeline(Readable.from(chunks), filter), buffer(filter)]);
  return passed.toString();
}

const chunkSizes = [1, 7, 10_000];

test.each([
  ["the header of the API", "Time Bucket Start,Time Bucket End,Traces\r\n1,2,3\r\n"],
  ["a header without a line end", "Time Bucket Start,Traces"],
  ["a header with another delimiter, quotes and a byte order mark", '\ufeff"Traces";"Time Bucket Start"\n'],
])("a CSV export may start with %s, in chunks of any size", async (_, body) => {
  for (const size of chunkSizes) expect(await filtered(body, size)).toBe(body);
});

test.each([
  ["nothing", ""],
  ["an empty line", "\r\nTime Bucket Start"],
  ["HTML", "<html>\nTime Bucket Start"],
  ["a part of the header", "Time Bucket St"],
  ["a very long line", `${"x".repeat(5000)}Time Bucket Start`],
])("a CSV export cannot be %s", async (_, body) => {
  for (const size of chunkSizes) await expect(filtered(body, size)).rejects.toThrow("not CSV");
});
