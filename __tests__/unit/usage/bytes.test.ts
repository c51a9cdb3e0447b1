import { expect, test } from "@jest/globals";
import { formatBytes } from "../../../src/text/bytes.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_950, "1.0 MB"],
  [1_234_567, "1.2 MB"],
  [2_053_020_205, "2.1 GB"],
  [5e15, "5000.0 TB"],
])("%i is %s", (bytes, spelled) => {
  expect(formatBytes(bytes)).toBe(spelled);
});
