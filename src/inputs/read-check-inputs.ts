import { emptyHint } from "../input-problem.ts";
import { inputName, listOf, phrase } from "../text/message.ts";
import { readBaseUrl } from "./api-location.ts";
import { readAgentChecks, readAgentOptions, readCompare } from "./read-checks.ts";
import type { InputReader } from "./reader.ts";

const checkInputs = ["health_check_path", "smoke_tests", "compare_with_url"] as const;

export function readCheckInputs(reader: InputReader) {
  const checks = readAgentChecks(reader);
  const agent = readAgentOptions(reader);
  const compare = readCompare(reader, "compare_with_url", "fail");
  if (checkInputs.every((name) => reader.optional(name) === undefined)) {
    const names = listOf(checkInputs.map((name) => inputName(name)));
    const subject = phrase`At least one of the inputs ${names}`;
    reader.reject("smoke_tests", phrase`must be set`, { subject, hint: emptyHint });
  }
  const url = readBaseUrl(reader, "deployment_url");
  const compared = compare && { ...compare, url: readBaseUrl(reader, "compare_with_url") };
  return { url, agent, checks: { ...checks, compare: compared } };
}
