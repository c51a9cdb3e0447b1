import type { AgentOptions } from "../agent/agent-client.ts";
import type { AgentCheckOptions } from "../checks/agent-checks.ts";

export interface WaitOptions {
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
}

export interface DeployOptions extends WaitOptions {
  readonly dryRun: boolean;
  readonly onlyIfChanged: boolean;
  /** `failure` shows the end of a log after a failure. `live` also shows the build while it runs. */
  readonly buildLog: "failure" | "live" | "off";
  readonly checks: CheckOptions;
  readonly rollbackOnFailure: boolean;
  readonly interruptOnCancel: boolean;
}

export interface CheckOptions extends AgentCheckOptions, AgentOptions {
  readonly serving: "auto" | "require" | "off";
  readonly verifyCommit: boolean;
}
