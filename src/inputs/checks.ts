import { type Headers, readAgentHeaders } from "./agent-headers.ts";
import type { InputReader } from "./reader.ts";

export const servingModes = ["auto", "require", "off"] as const;
export type ServingMode = (typeof servingModes)[number];

/** What to check of the deployed agent once its revision is live. */
export interface CheckInputs {
  /** Has to return a 2xx status. Starts with `/` and may contain a query. */
  readonly healthPath: string | undefined;
  readonly serving: ServingMode;
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

/** A path must not lead to another host or out of the path of the deployment's URL. A fragment is never sent. */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) return "must start with exactly one /, such as /ok";
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path)) {
    return "must not contain a blank, a \\, a # or a character beyond ASCII (encode it with %)";
  }
  const pathname = path.replace(/\?.*/, "");
  const isDots = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);
  return pathname.split(/\/|%2f|%5c/i).some(isDots) ? "must not contain the segments . or .." : undefined;
}
