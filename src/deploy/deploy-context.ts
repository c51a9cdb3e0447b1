import type { AgentOptions } from "../agent/agent-client.ts";
import type { CompareOptions } from "../checks/comparison-check.ts";
import type { AgentCheckOptions } from "../checks/run-checks.ts";
import type { PlatformContext } from "../context.ts";
import type { ActionRecord, RecordSettings } from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { SourceArchive } from "../source/archive.ts";
import type { DeployPlan } from "./plan/plan.ts";

/** What a run that makes a revision does with it. */
export interface RevisionOptions {
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  /** `failure` shows the end of a log after a failure. `live` also shows the build while it runs. */
  readonly buildLog: "failure" | "live" | "off";
  readonly checks: AgentCheckOptions & { readonly serving: "auto" | "require" | "off" };
  /** Whether the platform must have built the run's commit. */
  readonly verifyCommit: boolean;
  readonly agent: AgentOptions;
  readonly interruptOnCancel: boolean;
}

export interface DeployOptions extends RevisionOptions {
  readonly compare: CompareOptions | undefined;
  readonly dryRun: boolean;
  readonly onlyIfChanged: boolean;
  readonly rollbackOnFailure: boolean;
}

/** The context of a run that makes a revision, watches and checks it: a deploy or a rollback. */
export interface RevisionContext extends PlatformContext {
  readonly options: RevisionOptions;
  /**
   * The archive that an update uploads. Undefined in a rollback on its own. If the log of a failed build names a line of its
   * files, the annotation is put there.
   */
  readonly archive?: SourceArchive | undefined;
}

export interface DeployContext extends RevisionContext {
  readonly options: DeployOptions;
  readonly plan: DeployPlan;
  /** Finds the deployment of the plan's name, for a preview also by its records. Undefined if there is none. */
  readonly lookUp: () => Promise<Deployment | undefined>;
  /** Undefined without a token. */
  readonly github: GitHubClient | undefined;
  /** Undefined if the run is not recorded. */
  readonly record: RecordSettings | undefined;
  /** The records of earlier runs with the same task, also for other control planes, newest first. */
  readonly records: readonly ActionRecord[];
}
