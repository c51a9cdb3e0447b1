import type { Context } from "../context.ts";
import type { GitHubClient } from "../github/client.ts";
import type { OwnRecord } from "../github/deployment-records.ts";
import { retryUntil } from "../http/retry.ts";
import type { DeployOptions } from "../inputs/deploy.ts";
import { ControlPlane } from "../platform/control-plane.ts";
import type { ControlPlaneSettings } from "../platform/platforms.ts";
import type { PackedSource } from "../source/pack-source.ts";
import type { DeployPlan } from "./plan/plan.ts";

/** What every step that uses the control plane works with. */
export interface PlatformJob extends Context {
  /** Retries no request after the deadline. */
  readonly controlPlane: ControlPlane;
  /** When the time of the job is over; milliseconds since the epoch. */
  readonly deadline: number;
}

/** What earlier runs recorded on GitHub, for a run that is recorded too. */
export interface RunRecords {
  readonly github: GitHubClient;
  /** Of what this run would send: an attempt with the same one continues the record of an earlier one. */
  readonly requestDigest: string;
  /** All of the same task, newest first: those that this run's record may replace. */
  readonly ofTask: readonly OwnRecord[];
  /** Of these, those that are not of another control plane or workspace; undefined if GitHub does not show them. */
  readonly earlier: readonly OwnRecord[] | undefined;
}

/** How the revision of a job is watched. */
type WatchOptions = Pick<
  DeployOptions,
  "wait" | "timeoutMs" | "pollIntervalMs" | "buildLog" | "interruptOnCancel"
>;

/** A job that makes a revision and watches it: a deploy or a rollback. */
export interface RevisionJob extends PlatformJob {
  readonly settings: ControlPlaneSettings;
  readonly options: WatchOptions;
  /** Undefined if the run is not recorded. */
  readonly records: RunRecords | undefined;
}

/** A job whose revision is checked once it is live. */
export interface CheckedJob extends RevisionJob {
  readonly options: WatchOptions & Pick<DeployOptions, "checks">;
}

/** What `preflight` works with: what is known of a deploy before its first request. */
export interface PreflightJob extends PlatformJob {
  readonly plan: DeployPlan;
  readonly github: GitHubClient | undefined;
}

/** What a deploy works with, from the records of earlier runs to its end. */
export interface DeployJob extends PreflightJob, CheckedJob {
  readonly options: DeployOptions;
  /** The packed folder of `source_path`; undefined if the platform fetches the source. */
  readonly upload: PackedSource | undefined;
  /** Whether it is recorded as one of production. */
  readonly isProduction: boolean;
}

/** The context with a control plane that retries requests for this time, which starts now. */
export function platformJob<C extends Context>(
  context: C,
  settings: ControlPlaneSettings,
  durationMs: number,
): C & PlatformJob {
  const deadline = context.clock.now() + durationMs;
  return { ...context, deadline, controlPlane: new ControlPlane(settings, context, retryUntil(deadline)) };
}
