import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

test("no line of a comment in src/ is longer than 128 columns", () => {
  const source = join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.ts$/.test(name),
  );
  const lines = files.flatMap((file) =>
    readFileSync(join(source, file), "utf8")
      .split("\n")
      .map((line, index) => ({ place: `src/${file}:${index + 1}`, line })),
  );

  const isLong = (line: string) => line.length > 128 && /^\s*(\/\/|\/?\*)(?! https:\S+$)/.test(line);
  expect(lines.filter(({ line }) => isLong(line))).toEqual([]);
});
