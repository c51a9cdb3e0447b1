import type { AgentOptions } from "../agent/agent-client.ts";
import { type HeaderValues, headerProblem, isEmptyHeader, pathProblem } from "../agent/request-parts.ts";
import type { CompareOptions } from "../checks/comparison-check.ts";
import { emptyHint, missingInput } from "../input-problem.ts";
import { code, inputName, listOf, phrase } from "../text/message.ts";
import { readBaseUrl } from "./api-location.ts";
import type { InputReader } from "./reader.ts";
import { readSmokeTests } from "./smoke-tests.ts";

export type BreakingChanges = "fail" | "warn";

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

/** Reads the checks that need only a running agent. */
export function readAgentChecks(reader: InputReader) {
  return {
    healthTimeoutMs: reader.durationMs("health_check_timeout_seconds", 60),
    healthPath: readHealthPath(reader),
    smokeTests: readSmokeTests(reader),
  };
}

export function readAgentOptions(reader: InputReader): AgentOptions {
  return {
    headers: readAgentHeaders(reader),
    requestTimeoutMs: reader.requestTimeoutMs(),
    allowHttp: reader.boolean("allow_http") ?? false,
  };
}

export function readCompare(
  reader: InputReader,
  input: "compare_with" | "compare_with_url",
  breakingChanges: BreakingChanges,
): CompareOptions | undefined {
  const comparedWith = reader.optional(input);
  const isGate = reader.oneOf("breaking_changes", ["fail", "warn"], breakingChanges) === "fail";
  if (comparedWith !== undefined) return { comparedWith, isGate };
  // An undefined variable of a workflow is an empty input, and a gate that compares nothing must not stay open.
  if (isGate && reader.optional("breaking_changes") !== undefined) {
    const problem = phrase`is missing or empty, although ${inputName("breaking_changes")} is ${code("fail")}`;
    reader.addProblem({ ...missingInput(input), problem });
  }
  return undefined;
}

function readHealthPath(reader: InputReader): string | undefined {
  const path = reader.optional("health_check_path");
  const problem = path === undefined ? undefined : pathProblem(path);
  if (problem !== undefined) reader.reject("health_check_path", problem);
  return path;
}

/** Reads the `agent_headers` input: lines of `Name: value`, by lower-case names. Problems name a line, never content. */
export function readAgentHeaders(reader: InputReader): HeaderValues {
  const headers = new Map<string, string>();
  for (const [index, rawLine] of reader.raw("agent_headers").split(/\r?\n/).entries()) {
    const line = rawLine.trim();
    if (line === "" || line.startsWith("#")) continue;
    const subject = phrase`Input ${inputName("agent_headers")} (line ${index + 1})`;
    const [, rawName = "", value] = /^(.*?)\s*:\s*(.*)$/s.exec(line) ?? [];
    if (value === undefined) {
      const problem = phrase`has no colon. Write each line as ${code("Name: value")}`;
      reader.reject("agent_headers", problem, { subject });
      continue;
    }
    const name = rawName.toLowerCase();
    const problem = headerProblem(name, value);
    const hint = isEmptyHeader(name, value) ? emptyHint : undefined;
    if (problem !== undefined) reader.reject("agent_headers", problem, { subject, hint });
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}
