import { type Headers, pathProblem, readAgentHeaders } from "./agent-request.ts";
import type { InputReader } from "./reader.ts";
import type { SmokeTest } from "./smoke-test.ts";
import { readSmokeTests } from "./smoke-tests.ts";

const servingModes = ["auto", "require", "off"] as const;
type ServingMode = (typeof servingModes)[number];

/** What to check of the deployed agent once its revision is live. */
export interface CheckInputs {
  /** Must return a 2xx status. Starts with `/` and may contain a query. */
  readonly healthPath: string | undefined;
  readonly serving: ServingMode;
  readonly smokeTests: readonly SmokeTest[];
  /** For the health check, and again for the serving check. */
  readonly timeoutMs: number;
  /** Sent to the agent by every check, by lower-case names. */
  readonly headers: Headers;
  /** Whether the deployment's URL may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
}

export function readChecks(reader: InputReader): CheckInputs {
  return {
    timeoutMs: reader.seconds("health_check_timeout_seconds", 60),
    healthPath: readHealthPath(reader),
    serving: reader.oneOf("serving_check", servingModes, "auto"),
    smokeTests: readSmokeTests(reader),
    headers: readAgentHeaders(reader),
    allowHttp: reader.boolean("allow_http") ?? false,
  };
}

function readHealthPath(reader: InputReader): string | undefined {
  const path = reader.optional("health_check_path");
  const problem = path === undefined ? undefined : pathProblem(path);
  if (problem !== undefined) reader.reject("health_check_path", problem);
  return path;
}
