import type { AgentOptions } from "../agent/agent-client.ts";
import type { AgentChecks } from "../checks/agent-checks.ts";
import type { CompareInputs } from "../checks/comparison-check.ts";

export interface WaitOptions {
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
}

export interface DeployOptions extends WaitOptions {
  readonly dryRun: boolean;
  /** Whether to send nothing if the same is live already. */
  readonly onlyIfChanged: boolean;
  /** `failure` shows the end of a log after a failure. `live` also shows the build while it runs. */
  readonly buildLog: "failure" | "live" | "off";
  readonly checks: CheckInputs;
  readonly rollbackOnFailure: boolean;
  readonly interruptOnCancel: boolean;
}

/** The inputs about the checks of a revision. */
export interface CheckInputs extends AgentChecks, AgentOptions {
  readonly serving: "auto" | "require" | "off";
  /** Undefined if nothing is compared. */
  readonly compare: CompareInputs | undefined;
  /** Whether the platform must have built this run's commit. */
  readonly verifyCommit: boolean;
}
