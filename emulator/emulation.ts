/** The emulated platform, put together of its parts; sockets are `server.ts`'s business. */
import type { DatabaseSync } from "node:sqlite";
import type { Hono } from "hono";
import { createApp } from "./app.ts";
import { openData } from "./data.ts";
import { ControlPlane } from "./deployments/control-plane.ts";
import { DeploymentRecords, type RecordParts } from "./deployments/records.ts";
import { RevisionControl } from "./deployments/revision-control.ts";
import { DeploymentStore } from "./deployments/store.ts";
import { Misbehaviour } from "./misbehave/misbehaviour.ts";
import type { Settings } from "./options.ts";
import { emulatedPlatforms } from "./platform.ts";

/** What answers requests, and what its owner may reach past them. */
export interface Emulation {
  readonly app: Hono;
  readonly controlPlane: ControlPlane;
  readonly misbehaviour: Misbehaviour;
  /** Ref → the commit it points at; it may be changed at any time. */
  readonly commits: Map<string, string>;
  /** To be closed at the end. */
  readonly database: DatabaseSync;
}

/**
 * Makes a platform that nobody can reach yet.
 * @param origin tells the emulator's own address, without a trailing slash; asked only while a request is answered
 * @throws {DataFileError} when the data file is none
 * @throws {UsageFileError} when a line of the usage file is bad; nothing of it is loaded then
 */
export function emulate(settings: Settings, origin: () => string): Emulation {
  const { apiKey, workspaceId, statusSeconds, integrations, unhealthyRefs } = settings;
  const { dataFile, usageFile, sampleUsage } = settings;
  // A virtual clock may stand between two milliseconds; the database and ISO 8601 don't.
  const now = () => Math.floor(settings.now());
  const misbehaviour = new Misbehaviour();
  for (const rule of settings.misbehave) misbehaviour.add(rule);
  const database = openData({ dataFile, usageFile, sampleUsage, workspaceId, now: now() });
  const platform = emulatedPlatforms[settings.platform];
  const commits = new Map(Object.entries(settings.commits));
  const failRefs = new Map(Object.entries(settings.failRefs));
  const store = new DeploymentStore(database);
  const parts: RecordParts = {
    platform,
    store,
    misbehaviour,
    now,
    workspaceId,
    origin,
    statusSeconds,
    failRefs,
    commits,
  };
  const records = new DeploymentRecords(parts);
  const controlPlane = new ControlPlane(parts, records);
  const revisions = new RevisionControl(parts, records);
  const app = createApp({
    apiKey,
    workspaceId,
    platform,
    controlPlane,
    revisions,
    integrations,
    unhealthyRefs,
    database,
    now,
  });
  return { app, controlPlane, misbehaviour, commits, database };
}
