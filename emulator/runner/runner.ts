/** Builds and runs the revisions of all deployments on this machine. */
import type { DatabaseSync } from "node:sqlite";
import type {
  Redeployed,
  RevisionExecutor,
  RevisionFacts,
  Source,
} from "../control-plane/revision-executor.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Config, DeploymentRow, DeploymentStore, RevisionRow } from "../store/deployments.ts";
import { RevisionLogs } from "../store/revision-logs.ts";
import { type RunRequest, RunStore } from "../store/runs.ts";
import { type TimedStatus, type Timeline, timelineOf } from "../timeline.ts";
import { DeploymentRunner } from "./deployment-runner.ts";
import { Mutex } from "./mutex.ts";
import { Environments } from "./python/environments.ts";
import { type RunnerContext, secretsOf, urlOfPort } from "./runner-context.ts";
import { type RunOptions, runSettings } from "./settings.ts";
import { Watchdog } from "./watchdog.ts";
import { WorkFolder } from "./work-folder.ts";

export interface RunnerOptions {
  readonly dialect: Dialect;
  readonly database: DatabaseSync;
  readonly store: DeploymentStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The file of an uploaded archive; undefined if there is none. */
  readonly archiveOf: (deploymentId: string, path: string) => string | undefined;
  readonly onLive: (name: string, url: string) => void;
  readonly onFailed: (name: string, reason: string) => void;
  readonly options: RunOptions;
  /** Undefined if nothing is kept. */
  readonly dataFile: string | undefined;
}

export class Runner implements RevisionExecutor {
  readonly #dialect: Dialect;
  readonly #store: DeploymentStore;
  readonly #context: RunnerContext;
  readonly #deployments = new Map<string, DeploymentRunner>();
  readonly #removals = new Set<Promise<void>>();

  constructor({
    dialect,
    database,
    store,
    now,
    archiveOf,
    onLive,
    onFailed,
    options,
    dataFile,
  }: RunnerOptions) {
    const settings = runSettings(options);
    this.#dialect = dialect;
    this.#store = store;
    // Before the watchdog: it may fail.
    const folders = new WorkFolder(options.workDir, dataFile);
    this.#context = {
      folders,
      environments: new Environments(folders.environments, () => folders.names()),
      runs: new RunStore(database, store),
      deployments: store,
      logs: new RevisionLogs(database),
      watchdog: new Watchdog(settings.graceMs),
      builds: new Mutex(),
      settings,
      archiveOf,
      now,
      onLive,
      onFailed,
    };
  }

  /** Git tells the commit when the source is fetched. */
  commitOf(): null {
    return null;
  }

  plan({ source, config }: Source): Timeline {
    const created = { status: "CREATING", seconds: 0 };
    const failure = this.#refusalOf(source, config);
    return timelineOf([created, { ...(failure ?? { status: "QUEUED" }), seconds: 0 }]);
  }

  #refusalOf(source: string, config: Config): Omit<TimedStatus, "seconds"> | undefined {
    const isImage = source.endsWith("_docker") || (config.image_uri ?? null) !== null;
    if (!isImage) return this.#dialect.failureOf(config);
    return {
      status: "CREATE_FAILED",
      message: "This emulator runs repositories and uploads, but no images.",
    };
  }

  /** A redeployed revision gets the commit of the earlier one, and its folder if that is still there. */
  prepare(revision: RevisionRow, deployment: DeploymentRow, redeployed?: Redeployed): void {
    const { runs } = this.#context;
    const earlier = redeployed && runs.find(redeployed.revision.id);
    runs.insert({
      revisionId: revision.id,
      request: requestOf(revision, deployment, this.#store),
      commit: earlier?.commit ?? null,
      folder: earlier?.folder ?? null,
    });
  }

  factsOf({ id }: RevisionRow): RevisionFacts {
    const run = this.#context.runs.find(id);
    return { commit: run?.commit ?? null, secrets: run === undefined ? [] : secretsOf(run) };
  }

  changed(deploymentId: string): void {
    const deployment = this.#store.find(deploymentId);
    if (deployment !== undefined && deployment.gone_at === null) {
      this.#runnerOf(deploymentId).changed();
      return;
    }
    const runner = this.#deployments.get(deploymentId);
    this.#deployments.delete(deploymentId);
    if (runner !== undefined) this.#remove(runner);
  }

  #runnerOf(deploymentId: string): DeploymentRunner {
    const runner = this.#deployments.get(deploymentId) ?? new DeploymentRunner(deploymentId, this.#context);
    this.#deployments.set(deploymentId, runner);
    return runner;
  }

  #remove(runner: DeploymentRunner): void {
    const removal = runner.remove().finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  liveUrl({ id }: DeploymentRow): string {
    return urlOfPort(this.#context.runs.port(id) ?? 0);
  }

  /** Resolves when the ports are open. Every agent that was live is then being started again, unless its port is taken. */
  async start(): Promise<void> {
    const ids = this.#store
      .list("")
      .filter(({ gone_at }) => gone_at === null)
      .map(({ id }) => id);
    await this.#context.folders.keepOnly(ids);
    await this.#context.environments.removeUnused();
    const runners = ids.map((id) => this.#runnerOf(id));
    // All ports first: the system could give one of them to an agent.
    const served = runners.filter(({ id }) => this.#context.runs.port(id) !== undefined);
    const lost = new Set<DeploymentRunner>();
    const open = async (runner: DeploymentRunner) => {
      await runner.openPort().catch((error: unknown) => {
        lost.add(runner);
        console.error(String(error));
      });
    };
    await Promise.all(served.map(open));
    for (const runner of runners) if (!lost.has(runner)) runner.restore().catch(console.error);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#deployments.values()].map((runner) => runner.close()));
    await Promise.all(this.#removals);
    await this.#context.watchdog.close();
    await this.#context.folders.close();
  }
}

function requestOf(revision: RevisionRow, deployment: DeploymentRow, store: DeploymentStore): RunRequest {
  const config = revision.source_revision_config;
  const { repo_url, install_command, build_command } = deployment.source_config;
  return {
    source: revision.source,
    repoUrl: textOrNull(repo_url),
    ref: textOrNull(config.repo_ref),
    archivePath: textOrNull(config.source_tarball_path),
    configPath: textOrNull(config.app_config_path),
    installCommand: textOrNull(install_command),
    buildCommand: textOrNull(build_command),
    secrets: store.secrets(deployment.id),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
