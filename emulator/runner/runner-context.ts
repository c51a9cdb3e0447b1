/** What the runners of all deployments share. */
import type { LogType } from "../faults/fault-rule.ts";
import type { DeploymentStore } from "../store/deployments.ts";
import type { LogLine, RevisionLogs } from "../store/revision-logs.ts";
import type { Run, RunStore } from "../store/runs.ts";
import { credentialsIn } from "./git-source.ts";
import type { Mutex } from "./mutex.ts";
import { OutputLog } from "./output-log.ts";
import type { Environments } from "./python/environments.ts";
import { redactorFor } from "./redact.ts";
import type { RunSettings } from "./settings.ts";
import type { Watchdog } from "./watchdog.ts";
import { type WorkFolder, withImagePaths } from "./work-folder.ts";

export interface RunnerContext {
  readonly runs: RunStore;
  readonly deployments: DeploymentStore;
  readonly logs: RevisionLogs;
  readonly watchdog: Watchdog;
  /** Of all deployments, one revision at a time is built. */
  readonly builds: Mutex;
  readonly folders: WorkFolder;
  readonly environments: Environments;
  readonly settings: RunSettings;
  readonly archiveOf: (deploymentId: string, archivePath: string) => string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onLive: (name: string, url: string) => void;
  readonly onFailed: (name: string, reason: string) => void;
}

/** The log of a revision's build or server, without its secrets and the folders of builds. */
export function logOf(run: Run, type: LogType, { logs, now }: RunnerContext): OutputLog {
  const append = (lines: readonly LogLine[]) =>
    logs.append(
      run.revisionId,
      type,
      lines.map((line) => ({ ...line, message: withImagePaths(line.message) })),
    );
  return new OutputLog({ append, redact: redactorFor(secretsOf(run)), now });
}

/** The secrets of a revision, and the credentials in the address of its repository. */
export function secretsOf({ request: { secrets, repoUrl } }: Run): string[] {
  return [...secrets.map(({ value }) => value), ...credentialsIn(repoUrl ?? "")];
}

/** The name of a deployment, or its id if the deployment is gone. */
export function nameOf(deploymentId: string, { deployments }: RunnerContext): string {
  return deployments.find(deploymentId)?.name ?? deploymentId;
}

export function urlOfPort(port: number): string {
  return `http://127.0.0.1:${port}`;
}
