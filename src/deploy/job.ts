import type { Context } from "../context.ts";
import type { GitHubClient } from "../github/client.ts";
import type { OwnRecord } from "../github/deployment-records.ts";
import { retryUntil } from "../http/retry.ts";
import type { DeployOptions } from "../inputs/deploy.ts";
import { ControlPlane } from "../platform/control-plane.ts";
import type { ControlPlaneSettings } from "../platform/platforms.ts";
import type { PackedSource } from "../source/pack-source.ts";
import type { RunRevision } from "./apply/revision-history.ts";
import type { DeployPlan } from "./plan/plan.ts";

/** What every step that uses the control plane works with. */
export interface PlatformJob extends Context {
  /** Retries no request after the job's deadline. */
  readonly controlPlane: ControlPlane;
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
  /** Whether the run is recorded on GitHub. */
  readonly isRecorded?: boolean;
  /** Of a deploy: what is built. */
  readonly plan?: DeployPlan;
  readonly upload?: PackedSource | undefined;
}

/** What a deploy works with, from its plan to its end. */
export interface DeployJob extends RevisionJob {
  readonly options: DeployOptions;
  readonly plan: DeployPlan;
  /** The packed folder of `source_path`; undefined if the platform fetches the source. */
  readonly upload: PackedSource | undefined;
  readonly github: GitHubClient | undefined;
  readonly isProduction?: boolean;
  /** Those of the deployment, newest first; undefined if there is no token, or GitHub does not show them. */
  readonly records?: readonly OwnRecord[] | undefined;
  /** When `timeout_seconds` are over, counted from the start of the job; milliseconds since the epoch. */
  readonly deadline: number;
  /** The revision that an earlier attempt or step of this run started, to be watched instead of making one. */
  readonly resumed?: RunRevision | undefined;
  readonly onRevision?: (revision: RunRevision) => void;
}

type JobParts = Pick<DeployJob, "settings" | "options" | "plan" | "upload" | "github" | "isProduction">;

/** The context with a control plane that retries requests for this time, which starts now. */
export function platformJob<C extends Context>(
  context: C,
  settings: ControlPlaneSettings,
  durationMs: number,
): C & PlatformJob {
  const policy = retryUntil(context.clock.now() + durationMs);
  return { ...context, controlPlane: new ControlPlane(settings, context, policy) };
}

/** Starts the clock for `timeout_seconds`. */
export function startJob(context: Context, parts: JobParts): DeployJob {
  const { timeoutMs } = parts.options;
  const job = platformJob(context, parts.settings, timeoutMs);
  return { ...job, ...parts, deadline: context.clock.now() + timeoutMs };
}
