import type { AgentOptions } from "../agent/agent-client.ts";
import { pathProblem } from "../agent/request-parts.ts";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { code, input as inputName, type Message, text } from "../text/message.ts";
import { readAgentHeaders } from "./agent-request.ts";
import type { InputReader } from "./reader.ts";
import { readSmokeTests } from "./smoke-tests.ts";

const servingModes = ["auto", "require", "off"] as const;
type ServingMode = (typeof servingModes)[number];

/** `compare_with` for what the deployment itself served before the run. */
export const previousTarget = "previous";

/** The deployment to compare with. */
export interface CompareInputs {
  /** Its name or id, or `previous`. */
  readonly target: string;
  /** Whether a breaking change, and what can't be read, fails the run instead of being a warning. */
  readonly isGate: boolean;
}

/** What a breaking change does if `breaking_changes` is not set. */
export type BreakingChanges = (typeof breakingChangesModes)[number];
const breakingChangesModes = ["fail", "warn"] as const;

/** Refuses an input that needs `wait: true`. `value`: the only one that needs it; by default all do. */
export function rejectWithoutWait(reader: InputReader, input: string, value?: Message): void {
  const problem = text`needs ${code("wait: true")}, because without waiting the action does not know how the revision ends`;
  reader.reject(input, value === undefined ? problem : text`${value} ${problem}`, {
    hint: text`Set ${code("wait: true")}, or remove ${inputName(input)}.`,
  });
}

/** What to check of the deployed agent once its revision is live. */
export interface CheckInputs extends AgentOptions {
  /** Must return a 2xx status. Starts with `/` and may contain a query. */
  readonly healthPath: string | undefined;
  readonly serving: ServingMode;
  readonly smokeTests: readonly SmokeTest[];
  /** For the health check, and again for the serving check. */
  readonly timeoutMs: number;
  /** Undefined: nothing is compared. */
  readonly compare: CompareInputs | undefined;
  /** Whether the platform has to have built this run's commit. */
  readonly verifyCommit: boolean;
}

/**
 * `wait`: whether the action waits until the revision is live. `breakingChanges`: what a breaking change does if the input is
 * not set; undefined for an action that deploys nothing new, so that there is nothing to compare and to verify.
 */
export function readChecks(
  reader: InputReader,
  wait: boolean,
  breakingChanges?: BreakingChanges,
): CheckInputs {
  const checks: CheckInputs = {
    timeoutMs: reader.seconds("health_check_timeout_seconds", 60),
    healthPath: readHealthPath(reader),
    serving: reader.oneOf("serving_check", servingModes, "auto"),
    smokeTests: readSmokeTests(reader),
    compare: breakingChanges && readCompare(reader, breakingChanges),
    verifyCommit: breakingChanges !== undefined && (reader.boolean("verify_commit") ?? false),
    headers: readAgentHeaders(reader),
    allowHttp: reader.boolean("allow_http") ?? false,
  };
  if (!wait) {
    if (checks.healthPath !== undefined) rejectWithoutWait(reader, "health_check_path");
    if (checks.serving === "require") rejectWithoutWait(reader, "serving_check", text`${code("require")}`);
    if (reader.optional("smoke_tests") !== undefined) rejectWithoutWait(reader, "smoke_tests");
    if (checks.compare !== undefined) rejectWithoutWait(reader, "compare_with");
    if (checks.verifyCommit) rejectWithoutWait(reader, "verify_commit");
  }
  return checks;
}

function readCompare(reader: InputReader, breakingChanges: BreakingChanges): CompareInputs | undefined {
  const target = reader.optional("compare_with");
  const mode = reader.oneOf("breaking_changes", breakingChangesModes, breakingChanges);
  return target === undefined ? undefined : { target, isGate: mode === "fail" };
}

function readHealthPath(reader: InputReader): string | undefined {
  const path = reader.optional("health_check_path");
  const problem = path === undefined ? undefined : pathProblem(path);
  if (problem !== undefined) reader.reject("health_check_path", problem);
  return path;
}
