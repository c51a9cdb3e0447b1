import type { InputReader } from "./reader.ts";

/** How the deployment is asked whether it is well. */
export interface HealthCheck {
  /** Starts with `/`, and may hold a query. */
  readonly path: string;
  /** How long it may take until it is, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether a plain `http:` address of a private network may be asked. */
  readonly allowHttp: boolean;
}

/** What is to be done after the revision has ended, or the run was cancelled; without these inputs nothing is. */
export interface AfterDeploy {
  /** A revision that was built from another commit than this run's is a failure. */
  readonly verifyCommit: boolean;
  readonly healthCheck: HealthCheck | undefined;
  /** Whether what was live before is deployed again where the new revision ended badly. */
  readonly rollsBack: boolean;
  /** Whether a revision that is under way is stopped where the run is cancelled. */
  readonly interruptsOnCancel: boolean;
}

/** Reads them; problems stay in the reader. `waits`: whether the run stays until the revision has ended. */
export function readAfterDeploy(reader: InputReader, waits: boolean): AfterDeploy {
  const verifyCommit = reader.boolean("verify_commit") ?? false;
  const healthCheck = readHealthCheck(reader);
  const rollsBack = reader.boolean("rollback_on_failure") ?? false;
  if (!waits && verifyCommit) reader.refuse("verify_commit", needsWait);
  if (!waits && healthCheck) reader.refuse("health_check_path", needsWait);
  if (!waits && rollsBack) reader.refuse("rollback_on_failure", needsWait);
  return {
    verifyCommit,
    healthCheck,
    rollsBack,
    interruptsOnCancel: reader.oneOf("on_cancel", ["leave", "interrupt"], "leave") === "interrupt",
  };
}

const needsWait = "needs wait: true, because only then it is known how the revision ends";

function readHealthCheck(reader: InputReader): HealthCheck | undefined {
  const timeoutMs = reader.seconds("health_check_timeout_seconds", 60);
  const path = reader.optional("health_check_path");
  if (path === undefined) return undefined;
  const problem = pathProblem(path);
  if (problem !== undefined) reader.refuse("health_check_path", problem);
  return { path, timeoutMs, allowHttp: reader.boolean("allow_http") ?? false };
}

/** What would lead to another host or out of the deployment's own path; a part from `#` on is never sent. */
function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) return "has to start with one /, such as /ok";
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path)) {
    return "must not hold a blank, a \\, a # or a character beyond ASCII (encode it with %)";
  }
  const pathname = path.replace(/\?.*/, "");
  const isDots = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);
  return pathname.split(/\/|%2f|%5c/i).some(isDots) ? "must not hold . or .. between two /" : undefined;
}
