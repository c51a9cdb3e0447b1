import { expect, test } from "@jest/globals";
import fc from "fast-check";
import * as v from "valibot";
import { ReportReader } from "../../../src/usage/report-reader.ts";
import { type UsageItem, UsageResponseSchema } from "../../../src/usage/schemas.ts";

/** What a reader makes of a text that arrives in chunks of so many bytes; chunks are overwritten once they are read. */
function read(text: string, size: number): { stride: unknown; usage: UsageItem[] } | string {
  const usage: UsageItem[] = [];
  const reader = new ReportReader(
    (item) => usage.push(item),
    (what) => new Error(what),
  );
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += size) {
      const chunk = Uint8Array.from(bytes.subarray(at, at + size));
      reader.add(chunk);
      chunk.fill(0);
    }
    return { stride: reader.end(), usage };
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

/** What a parser makes of the whole text. */
function expected(text: string): unknown {
  const { stride, usage } = v.parse(UsageResponseSchema, JSON.parse(text));
  return { stride, usage };
}

const nasty = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", '\\"', "]", "}", '"usage":[{', "},{", "\\\\", ",", "\u2028", "🌸"),
);
const item = fc.record({
  time_bucket: nasty,
  dimensions: fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => key !== "__proto__"),
    nasty,
  ),
  traces: fc.nat(),
  extra: fc.oneof(
    fc.constant(undefined),
    fc.array(fc.array(fc.nat())),
    fc.record({ usage: fc.array(nasty) }),
  ),
});
const around = fc.dictionary(
  fc
    .oneof(fc.constantFrom("usages", "usag", "us\\age", "note"), fc.string())
    .filter((key) => !["usage", "stride", "__proto__"].includes(key)),
  fc.oneof(nasty, fc.array(fc.record({ usage: fc.array(fc.nat()) })), fc.constant("usage")),
);

test("whatever the report and however it arrives, what is read is what a parser would have read", () => {
  const order = fc.constantFrom(["stride", "usage"], ["usage", "stride"]);
  const indent = fc.constantFrom(undefined, 2, "\t");
  const stride = { days: 1, hours: 0 };
  fc.assert(
    fc.property(
      around,
      fc.array(item),
      around,
      order,
      indent,
      fc.integer({ min: 1, max: 300 }),
      (before, usage, after, keys, space, size) => {
        const parts: Record<string, unknown> = { stride, usage };
        const known = Object.fromEntries(keys.map((key) => [key, parts[key]]));
        const text = JSON.stringify({ ...before, ...known, ...after }, null, space);
        expect(read(text, size)).toEqual(expected(text));
      },
    ),
    { numRuns: 500 },
  );
});

const one = '{"time_bucket":"b","dimensions":{},"traces":1}';
const sizes = [1, 3, 1000];

test.each([
  ["a key that is written with escapes", `{"stride":{"days":1},"us\\u0061ge":[${one},${one}]}`],
  ["white space everywhere", ` {\n"usage" : [ \t${one} \r\n,\n ${one} ] , "stride" : { } } `],
  ["no items", '{"stride":{},"usage":[ ]}'],
])("%s is read", (_, text) => {
  for (const size of sizes) expect(read(text, size)).toEqual(expected(text));
});

test.each([
  ["a comma too many at the end", `{"stride":{},"usage":[${one},]}`],
  ["a comma too many at the start", `{"stride":{},"usage":[,${one}]}`],
  ["two commas", `{"stride":{},"usage":[${one},,${one}]}`],
  ["no comma", `{"stride":{},"usage":[${one} ${one}]}`],
  ["a list that isn't closed", `{"stride":{},"usage":[${one}`],
  ["an item that isn't closed", `{"stride":{},"usage":[${one},{"traces":`],
  ["a wrong bracket", `{"stride":{},"usage":[${one}}}`],
  ["an object that isn't closed", `{"stride":{},"usage":[${one}]`],
  ["something behind it", `{"stride":{},"usage":[${one}]} x`],
  ["nothing", ""],
  ["HTML", '<html lang="en"><body>[]</body></html>'],
])("%s is not JSON", (_, text) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(sizes.map((size) => read(text, size))).toEqual(sizes.map(() => "the body is not JSON"));
});

test.each([
  ["another document", "[]", "stride is not what the API describes"],
  ["a list in a list", `["usage",[${one}]]`, "stride is not what the API describes"],
  ["a scalar", "1", "the body is not what the API describes"],
  ["no usage", '{"stride":{}}', "usage is not what the API describes"],
  ["an object of items", '{"stride":{},"usage":{"a":{}}}', "usage is not what the API describes"],
  ["no stride", `{"usage":[${one}]}`, "stride is not what the API describes"],
  ["a number for an item", '{"stride":{},"usage":[1]}', "usage.0 is not what the API describes"],
  [
    "a bad item",
    `{"stride":{},"usage":[${one},{"time_bucket":"b","dimensions":{},"traces":"1"}]}`,
    "usage.1.traces is not what the API describes",
  ],
])("%s is told by its place", (_, text, words) => {
  expect(sizes.map((size) => read(text, size))).toEqual(sizes.map(() => words));
});

test("items are passed on as soon as they are whole", () => {
  const usage: UsageItem[] = [];
  const reader = new ReportReader(
    (item) => usage.push(item),
    (what) => new Error(what),
  );
  reader.add(Buffer.from(`{"note":"usage","list":[],"stride":{"days":7},"usage":[${one},${one},{"time_`));
  expect(usage).toHaveLength(2);
  reader.add(Buffer.from('bucket":"b","dimensions":{},"traces":1}'));
  expect(usage).toHaveLength(3);
  reader.add(Buffer.from("]}"));
  expect(reader.end()).toEqual({ days: 7, hours: 0 });
});
