import type { Clock } from "./clock.ts";
import { defaultRetryMs } from "./http/retry.ts";
import { ControlPlane } from "./platform/control-plane.ts";
import { type ControlPlaneSettings, consolePageOf } from "./platform/control-plane-settings.ts";
import type { Report } from "./report/report.ts";
import type { CommandFiles } from "./report/runner/command-files.ts";
import type { StepLog } from "./report/runner/step-log.ts";
import type { Environment, WorkflowRun } from "./workflow-run.ts";

/** The effects that a run uses, except for HTTP, git, and the files of uploads and usage reports. */
export interface Effects {
  /** The variables of the step. The toolkit and git also read those of the process, for proxies and command files. */
  readonly env: Environment;
  readonly workflow: WorkflowRun;
  readonly clock: Clock;
  readonly log: StepLog;
  readonly files: CommandFiles;
  /** Options of Octokit's plugins with which tests shorten its delays. */
  readonly githubDelays?: object;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Aborted when the runner cancels the run (SIGINT, then SIGTERM). */
  readonly cancelled: AbortSignal;
}

/** The effects of a run, with its report in place of the bare log. */
export interface Context extends Omit<Effects, "log"> {
  readonly report: Report;
}

/** The context of a run that uses the control plane. */
export interface PlatformContext extends Context {
  readonly controlPlane: ControlPlane;
  readonly settings: ControlPlaneSettings;
}

/** Adds a control plane to a context, and reports its console. `retryMs`: how long each request is retried. */
export function withControlPlane<C extends Context>(
  context: C,
  settings: ControlPlaneSettings,
  retryMs = defaultRetryMs,
): C & PlatformContext {
  context.report.set({ consolePage: consolePageOf(settings) });
  return { ...context, settings, controlPlane: new ControlPlane(settings, context, retryMs) };
}
