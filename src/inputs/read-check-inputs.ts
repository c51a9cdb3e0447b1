import { emptyInputHint, missingInput } from "../input-problem.ts";
import type { InputName } from "../text/input-names.ts";
import { inputName, listOf, phrase } from "../text/message.ts";
import { invalidUrl, readBaseUrl } from "./api-location.ts";
import { readAgentChecks, readAgentOptions, readCompare } from "./read-checks.ts";
import type { InputReader } from "./reader.ts";

export function readCheckInputs(reader: InputReader) {
  const checks = readAgentChecks(reader);
  const agent = readAgentOptions(reader);
  const compare = readCompare(reader, "compare_with_url", "fail");
  const checkInputs = ["health_check_path", "smoke_tests", "compare_with_url"] as const;
  const isSet = (name: InputName) => reader.optional(name) !== undefined;
  if (!checkInputs.some(isSet) && reader.optional("breaking_changes") !== "fail") {
    const subject = phrase`Each of the inputs ${listOf(checkInputs.map((name) => inputName(name)))}`;
    reader.addProblem({
      ...missingInput("smoke_tests"),
      subject,
      hint: emptyInputHint(phrase`at least one of them`),
    });
  }
  const url = readBaseUrl(reader, "deployment_url");
  const compared = compare && { ...compare, url: readBaseUrl(reader, "compare_with_url") };
  if (url !== invalidUrl && compared?.url.href === url.href) {
    reader.reject("compare_with_url", phrase`must not be the same address as ${inputName("deployment_url")}`);
  }
  return { url, agent, checks: { ...checks, compare: compared } };
}
