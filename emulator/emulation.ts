/** The emulated platform, assembled from its parts. The socket is added by `server.ts`. */
import type { DatabaseSync } from "node:sqlite";
import type { Hono } from "hono";
import { ControlPlane } from "./control-plane/control-plane.ts";
import { InventedLog } from "./control-plane/revision-log.ts";
import { TimelinePlayer } from "./control-plane/timeline-player.ts";
import { ActiveFaults } from "./faults/active-faults.ts";
import { dialects, type Settings } from "./options.ts";
import { createApp } from "./routes/app.ts";
import { openDatabase, transaction } from "./store/database.ts";
import { DeploymentStore } from "./store/deployments.ts";
import { addLocalProvider } from "./store/oauth-providers.ts";
import { replaceUsage } from "./store/usage.ts";
import { sampleUsage } from "./usage/sample.ts";
import { readUsageFile } from "./usage/usage-file.ts";

export interface Emulation {
  readonly app: Hono;
  readonly controlPlane: ControlPlane;
  readonly faults: ActiveFaults;
  /** Ref → the commit that it points at; may be changed at any time. */
  readonly commits: Map<string, string>;
  /** The caller closes it. */
  readonly database: DatabaseSync;
}

/**
 * A platform that is not reachable yet.
 * @param origin the emulator's own address, without a trailing slash; called only during requests
 * @throws {DataFileError} if the data file is not a database
 * @throws {UsageFileError} if a line of the usage file is invalid; then none of its lines is imported
 */
export function emulate(settings: Settings, origin: () => string): Emulation {
  const { apiKey, workspaceId, statusSeconds, integrations, unhealthyRefs } = settings;
  // A virtual clock may return fractions of a millisecond; the database and ISO 8601 don't have them.
  const now = () => Math.floor(settings.now());
  const faults = new ActiveFaults();
  for (const rule of settings.faults) faults.add(rule);
  const database = openData(settings, now());
  const dialect = dialects[settings.platform];
  const commits = new Map(Object.entries(settings.commits));
  const controlPlane = new ControlPlane({
    dialect,
    store: new DeploymentStore(database),
    log: new InventedLog(faults),
    faults,
    player: new TimelinePlayer({
      dialect,
      faults,
      statusSeconds,
      failRefs: new Map(Object.entries(settings.failRefs)),
      commits,
      origin,
    }),
    now,
    workspaceId,
  });
  const app = createApp({
    apiKey,
    workspaceId,
    dialect,
    controlPlane,
    database,
    integrations,
    unhealthyRefs,
    now,
  });
  return { app, controlPlane, faults, commits, database };
}

function openData(settings: Settings, now: number): DatabaseSync {
  const { dataFile, usageFile, workspaceId } = settings;
  const database = openDatabase(dataFile, (created) => {
    addLocalProvider(created, now);
    if (settings.sampleUsage) replaceUsage(created, sampleUsage(workspaceId, now));
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
