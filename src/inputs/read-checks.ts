import type { AgentOptions } from "../agent/agent-client.ts";
import { pathProblem } from "../agent/request-parts.ts";
import type { CompareOptions } from "../checks/comparison-check.ts";
import type { CheckOptions } from "../deploy/deploy-context.ts";
import { missingInput } from "../input-problem.ts";
import { type InputName, inputNames } from "../text/input-names.ts";
import { code, inputName, phrase, text } from "../text/message.ts";
import { readAgentHeaders } from "./agent-headers.ts";
import type { InputReader } from "./reader.ts";
import { readSmokeTests } from "./smoke-tests.ts";

export type BreakingChanges = "fail" | "warn";

export function readChecks(
  reader: InputReader,
  wait: boolean,
  breakingChanges: BreakingChanges,
): CheckOptions {
  const checks = {
    ...readRevisionChecks(reader, wait),
    compare: readCompare(reader, "compare_with", breakingChanges),
    verifyCommit: reader.boolean("verify_commit") ?? false,
  };
  rejectWithoutWait(reader, wait, {
    compare_with: checks.compare !== undefined,
    verify_commit: checks.verifyCommit,
  });
  return checks;
}

/** Reads the checks of a revision that a deploy or a rollback made. */
export function readRevisionChecks(reader: InputReader, wait: boolean) {
  const checks = {
    ...readAgentChecks(reader),
    serving: reader.oneOf("serving_check", ["auto", "require", "off"], "auto"),
  };
  rejectWithoutWait(reader, wait, {
    health_check_path: checks.healthPath !== undefined,
    serving_check: checks.serving === "require",
    smoke_tests: reader.optional("smoke_tests") !== undefined,
  });
  return checks;
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
    requestTimeoutMs: reader.durationMs("request_timeout_seconds", 30),
    allowHttp: reader.boolean("allow_http") ?? false,
  };
}

/** Rejects inputs that need `wait: true`. */
export function rejectWithoutWait(
  reader: InputReader,
  wait: boolean,
  isSet: Partial<Readonly<Record<InputName, boolean>>>,
): void {
  for (const input of wait ? [] : inputNames.filter((name) => isSet[name])) {
    reader.reject(
      input,
      phrase`needs ${code("wait: true")}, because without waiting the action does not know how the revision ends`,
      { hint: text`Set ${code("wait: true")}, or remove ${inputName(input)}.` },
    );
  }
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
