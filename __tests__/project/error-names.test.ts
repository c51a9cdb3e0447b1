import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";

const source = join(root, "src");

/** Each class of errors in src/, and the `name` of its objects. */
const names = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => readFileSync(join(source, file), "utf8").split(/^(?=(?:export )?class )/m))
  .map((text) => ({
    type: /^(?:export )?class (\w+) extends \w*Errors? /.exec(text)?.[1],
    name: /^ {2}override readonly name(?:: string)? = "(\w+)";$/m.exec(text)?.[1],
  }))
  .filter(({ type }) => type !== undefined);

test("the name of every error is that of its class", () => {
  expect(names).not.toEqual([]);
  expect(names.filter(({ type, name }) => type !== name)).toEqual([]);
});
