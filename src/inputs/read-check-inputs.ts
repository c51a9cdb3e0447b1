import { code, inputName, listOf, text } from "../text/message.ts";
import { invalidAddress, readBaseUrl } from "./address.ts";
import { readAgentChecks, readCompare } from "./read-checks.ts";
import type { InputReader } from "./reader.ts";

export function readCheckInputs(reader: InputReader) {
  const checks = readAgentChecks(reader);
  const compare = readCompare(reader, "compare_with_url", reader.optional("compare_with_url"), "fail");
  const checkInputs = ["health_check_path", "smoke_tests", "compare_with_url"] as const;
  if (checkInputs.every((name) => reader.optional(name) === undefined)) {
    reader.reject("smoke_tests", text`must be set`, {
      subject: text`One of the inputs ${listOf(checkInputs.map((name) => inputName(name)))}`,
      hint: text`Set at least one of them in the step's ${code("with:")} block.`,
    });
  }
  const url = readBaseUrl(reader, "deployment_url");
  const compared = compare && { ...compare, url: readBaseUrl(reader, "compare_with_url") };
  // An undefined variable of a workflow is an empty input.
  if (compare === undefined && reader.optional("breaking_changes") !== undefined) {
    reader.reject(
      "breaking_changes",
      text`needs ${inputName("compare_with_url")}, which is not set or empty`,
    );
  }
  if (url !== invalidAddress && compared?.url.href === url.href) {
    reader.reject("compare_with_url", text`must not be the same address as ${inputName("deployment_url")}`);
  }
  return { url, ...checks, compare: compared };
}
