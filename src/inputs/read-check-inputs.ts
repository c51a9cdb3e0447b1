import { code, inputName, listOf, text } from "../text/message.ts";
import { readBaseUrl } from "./address.ts";
import { readAgentChecks, readCompare } from "./read-checks.ts";
import type { InputReader } from "./reader.ts";

export function readCheckInputs(reader: InputReader) {
  const checks = readAgentChecks(reader);
  const compare = readCompare(reader, "compare_with_url", "fail");
  const checkInputs = ["health_check_path", "smoke_tests", "compare_with_url"] as const;
  if (checkInputs.every((name) => reader.optional(name) === undefined)) {
    reader.reject("smoke_tests", text`must be set`, {
      subject: text`One of the inputs ${listOf(checkInputs.map((name) => inputName(name)))}`,
      hint: text`Set at least one of them in the step's ${code("with:")} block.`,
    });
  }
  return {
    url: readBaseUrl(reader, "deployment_url"),
    ...checks,
    compare: compare && { ...compare, url: readBaseUrl(reader, "compare_with_url") },
  };
}
