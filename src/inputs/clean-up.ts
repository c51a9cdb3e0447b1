import type { InputReader } from "./reader.ts";

/** What the `post:` step needs to reach GitHub. */
export interface SettleInputs {
  readonly githubToken: string | undefined;
  /** Of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** Reads them. A problem was told by the main step, so nothing is made of it. */
export function readSettleInputs(reader: InputReader): SettleInputs {
  return {
    githubToken: reader.optional("github_token"),
    requestTimeoutMs: reader.seconds("request_timeout_seconds", 30),
  };
}
