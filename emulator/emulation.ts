/** The emulated platform, assembled from its parts. The socket is added by `server.ts`. */

import type { DatabaseSync } from "node:sqlite";
import type { Hono } from "hono";
import { ControlPlane } from "./control-plane/control-plane.ts";
import { Inspection } from "./control-plane/inspection.ts";
import { RecordedLog } from "./control-plane/recorded-log.ts";
import type { RevisionExecutor } from "./control-plane/revision-executor.ts";
import { SimulatedExecutor } from "./control-plane/simulated-executor.ts";
import { SimulatedLog } from "./control-plane/simulated-log.ts";
import { Uploads } from "./control-plane/uploads.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { messageOf } from "./errors.ts";
import { ActiveFaults } from "./faults/active-faults.ts";
import { dialects, type Settings } from "./options.ts";
import { createApp } from "./routes/app.ts";
import { type UsageQuery, type UsageRow, usageRows } from "./routes/usage.ts";
import type { RunnerOptions } from "./runner/runner.ts";
import { ArchiveFolder } from "./store/archives.ts";
import { DataFileError, openDatabase, transaction } from "./store/database.ts";
import { DeploymentStore } from "./store/deployments.ts";
import { type FileLock, lockFile } from "./store/file-lock.ts";
import { addLocalProvider } from "./store/oauth-providers.ts";
import { UploadStore } from "./store/uploads.ts";
import { replaceUsage, workspacesWithUsage } from "./store/usage.ts";
import { sampleUsage } from "./usage/sample.ts";
import { readUsageFile } from "./usage/usage-file.ts";

/** What the usage API reads. */
export interface UsageReader {
  rows(query: UsageQuery): Iterable<UsageRow>;
  /** The ids of the workspaces that have usage. */
  workspaces(): string[];
}

export interface Emulation {
  readonly app: Hono;
  readonly controlPlane: ControlPlane;
  readonly executor: RevisionExecutor;
  readonly faults: ActiveFaults;
  /** Ref → the commit that it points at; may be changed at any time. */
  readonly commits: Map<string, string>;
  readonly uploads: Uploads;
  readonly inspection: Inspection;
  readonly usage: UsageReader;
  readonly dialect: Dialect;
  /** Whole milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends what is run, closes the database, and removes what is not kept. */
  close(): Promise<void>;
}

/**
 * A platform that is not reachable yet.
 * @param origin the emulator's own address, without a trailing slash; called only during requests
 * @throws {DataFileError} if the data file is not a database
 * @throws {UsageFileError} if a line of the usage file is invalid; then none of its lines is imported
 */
export async function emulate(settings: Settings, origin: () => string): Promise<Emulation> {
  const { apiKey, workspaceId, statusSeconds, integrations, unhealthyRefs, agentKey } = settings;
  const { region, listeners } = settings;
  // A virtual clock may return fractions of a millisecond; the database and ISO 8601 don't have them.
  const now = () => Math.floor(settings.now());
  const faults = new ActiveFaults();
  for (const rule of settings.faults) faults.add(rule);
  const lock = lockData(settings);
  const database = openData(settings, now());
  const dialect = dialects[settings.platform];
  const commits = new Map(Object.entries(settings.commits));
  const archives = new ArchiveFolder(settings.dataFile);
  const uploads = new Uploads({ store: new UploadStore(database), archives, now, origin });
  const store = new DeploymentStore(database, settings.run !== undefined);
  const { executor, log } =
    settings.run === undefined
      ? {
          executor: new SimulatedExecutor({
            dialect,
            faults,
            statusSeconds,
            failRefs: new Map(Object.entries(settings.failRefs)),
            commits,
            origin,
          }),
          log: new SimulatedLog(faults),
        }
      : {
          executor: await createRunner({
            dialect,
            database,
            store,
            now,
            archiveOf: (deploymentId, path) => uploads.archiveOf(deploymentId, path),
            onLive: settings.onLive,
            onFailed: settings.onFailed,
            options: settings.run,
            dataFile: settings.dataFile,
          }),
          log: new RecordedLog(database),
        };
  const installation = { region, listeners };
  const parts = { dialect, uploads, store, log, faults, executor, now, workspaceId, installation };
  const controlPlane = new ControlPlane(parts);
  const inspection = new Inspection(parts);
  const usage: UsageReader = {
    rows: (query) => usageRows(database, query),
    workspaces: () => workspacesWithUsage(database),
  };
  const app = createApp({
    apiKey,
    workspaceId,
    dialect,
    controlPlane,
    uploads,
    database,
    integrations,
    listeners,
    simulatesAgents: settings.run === undefined,
    unhealthyRefs,
    agentKey,
    faults,
    now,
  });
  const close = async () => {
    await executor.close();
    database.close();
    archives.close();
    lock?.release();
  };
  return { app, controlPlane, inspection, usage, dialect, now, executor, uploads, faults, commits, close };
}

/** Loaded only if it is used: an emulator that simulates its revisions starts faster without it. */
async function createRunner(options: RunnerOptions): Promise<RevisionExecutor> {
  const { Runner } = await import("./runner/runner.ts");
  return new Runner(options);
}

/** Two emulators would run the same deployments twice. @throws {DataFileError} */
function lockData({ run, dataFile }: Settings): FileLock | undefined {
  if (run === undefined || dataFile === undefined) return undefined;
  try {
    return lockFile(`${dataFile}.lock`);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new DataFileError(`--data ${dataFile} cannot be used: ${reason}`, { cause });
  }
}

function openData(settings: Settings, now: number): DatabaseSync {
  const { dataFile, usageFile, workspaceId } = settings;
  const database = openDatabase({
    file: dataFile,
    isForRuns: settings.run !== undefined,
    fill(created) {
      addLocalProvider(created, now);
      if (settings.sampleUsage) replaceUsage(created, sampleUsage(workspaceId, now));
    },
  });
  try {
    if (usageFile !== undefined)
      transaction(database, () => replaceUsage(database, readUsageFile(usageFile)));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
