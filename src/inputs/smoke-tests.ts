import type { InputReader } from "./reader.ts";
import type { SmokeTest } from "./smoke-test.ts";

/** The `smoke_tests` input (docs/specification.md#smoke-tests). What reads it is loaded only if it is given. */
export async function readSmokeTests(reader: InputReader): Promise<readonly SmokeTest[]> {
  const text = reader.raw("smoke_tests");
  if (text.trim() === "") return [];
  const { parseSmokeTests } = await import("./smoke-test-list.ts");
  const { tests, problems } = parseSmokeTests(text);
  for (const problem of problems) reader.reject("smoke_tests", problem);
  return tests;
}
