import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const source = join(import.meta.dirname, "../../src");

/** Each class of errors in src/, and the name that its objects say they have. */
const names = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => readFileSync(join(source, file), "utf8").split(/^(?=(?:export )?class )/m))
  .map((text) => ({
    type: /^(?:export )?class (\w+) extends \w*Errors? /.exec(text)?.[1],
    name: /^ {2}override readonly name(?:: string)? = "(\w+)";$/m.exec(text)?.[1],
  }))
  .filter(({ type }) => type !== undefined);

test("every error has its class's name, and not the one of the class that it extends", () => {
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter(({ type, name }) => type !== name)).toEqual([]);
});
