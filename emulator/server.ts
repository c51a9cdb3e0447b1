/** The emulator on a socket: started by the command line and, in process, by tests. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type AnsweringParts, answer } from "./answering.ts";
import { createApp } from "./app.ts";
import { openData } from "./data.ts";
import { ControlPlane, type DeploymentSnapshot } from "./deployments/control-plane.ts";
import { DeploymentRecords, type RecordParts } from "./deployments/records.ts";
import { RevisionControl } from "./deployments/revision-control.ts";
import { DeploymentStore } from "./deployments/store.ts";
import type { RevisionView } from "./deployments/views.ts";
import { type Integration, SAMPLE_INTEGRATION } from "./langsmith/integrations.ts";
import { Misbehaviour } from "./misbehave/misbehaviour.ts";
import type { RuleInput } from "./misbehave/rules.ts";
import { emulatedPlatforms, type PlatformName } from "./platform.ts";
import type { LoggedRequest } from "./request-log.ts";

const DEFAULT_API_KEY = "local-api-key";
export const DEFAULT_WORKSPACE_ID = "00000000-0000-4000-8000-000000000000";

/** Everything has a default. */
export interface EmulatorOptions {
  /** Whose dialect it speaks: `standard`. */
  readonly platform?: PlatformName;
  /** `127.0.0.1` */
  readonly host?: string;
  /** 0, which is also the default: any free port. */
  readonly port?: number;
  /** Undefined: everything is gone when it is closed. */
  readonly dataFile?: string | undefined;
  /** How long each pending status of a revision lasts: 1; 0: there is none. */
  readonly statusSeconds?: number;
  readonly apiKey?: string;
  readonly workspaceId?: string;
  /** Ref → the status in which its revisions end. */
  readonly failRefs?: Readonly<Record<string, string>>;
  /** Ref → the commit it points at, on a platform that shows commits; a ref not named here has a commit of its own. */
  readonly commits?: Readonly<Record<string, string>>;
  /** On a platform that lists them: one that covers one repository. */
  readonly integrations?: readonly Integration[];
  /** Refs whose revisions are deployed and then answer 503, on a platform whose deployments the emulator serves. */
  readonly unhealthyRefs?: readonly string[];
  /** Trace counts to put in place of those there. */
  readonly usageFile?: string | undefined;
  /** Whether a new database starts with some usage to look at: false. */
  readonly sampleUsage?: boolean;
  /** Milliseconds since the epoch; a test may hand in a virtual clock's. */
  readonly now?: () => number;
  readonly misbehave?: readonly RuleInput[];
  /** Whether `requests` is kept: true. A program that runs for days has no use for it. */
  readonly keepRequests?: boolean;
  /** Called when a request is answered, or has gone wrong as a rule said. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

export interface Emulator {
  /** Without a trailing slash, without `/api-host`. */
  readonly url: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Every request so far, in the order of their arrival. */
  readonly requests: readonly LoggedRequest[];
  /** What the control plane holds, past HTTP and past every rule, the oldest deployment first. */
  deployments(): DeploymentSnapshot[];
  /**
   * A revision that somebody else makes now, in the deployment as it is but for its ref.
   * @throws {RefusedError} when there is no such deployment
   */
  addForeignRevision(deploymentId: string, ref?: string): RevisionView;
  /** From now on this ref points at this commit. */
  setCommit(ref: string, sha: string): void;
  /** Puts a rule in force, behind those there are; the function takes it back. */
  misbehave(rule: RuleInput): () => void;
  /** Closes every connection, hanging ones too, and the data file. */
  close(): Promise<void>;
}

/** The port or the host cannot be had. */
export class ListenError extends Error {}

/**
 * Starts an emulator.
 * @throws {DataFileError} when the data file is none
 * @throws {UsageFileError} when a line of the usage file is bad; nothing of it is loaded then
 * @throws {ListenError}
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port = 0, apiKey = DEFAULT_API_KEY } = options;
  const { workspaceId = DEFAULT_WORKSPACE_ID, statusSeconds = 1, keepRequests = true } = options;
  const { dataFile, usageFile, sampleUsage = false, onRequest = () => {} } = options;
  // A virtual clock may stand between two milliseconds; the database and ISO 8601 don't.
  const now = () => Math.floor((options.now ?? Date.now)());
  const misbehaviour = new Misbehaviour();
  for (const rule of options.misbehave ?? []) misbehaviour.add(rule);
  const database = openData({ dataFile, usageFile, sampleUsage, workspaceId, now: now() });
  const platform = emulatedPlatforms[options.platform ?? "standard"];
  const commits = new Map(Object.entries(options.commits ?? {}));
  const recordParts: RecordParts = {
    platform,
    store: new DeploymentStore(database),
    misbehaviour,
    now,
    workspaceId,
    origin: () => urlOf(host, server.address()),
    statusSeconds,
    failRefs: new Map(Object.entries(options.failRefs ?? {})),
    commits,
  };
  const records = new DeploymentRecords(recordParts);
  const controlPlane = new ControlPlane(recordParts, records);
  const requests: LoggedRequest[] = [];
  const parts: AnsweringParts = {
    app: createApp({
      apiKey,
      workspaceId,
      platform,
      controlPlane,
      revisions: new RevisionControl(recordParts, records),
      integrations: options.integrations ?? [SAMPLE_INTEGRATION],
      unhealthyRefs: options.unhealthyRefs ?? [],
      database,
      now,
    }),
    misbehaviour,
    onArrival: (request) => {
      if (keepRequests) requests.push(request);
    },
    onEnd: onRequest,
  };
  const server = createServer((incoming, outgoing) => {
    void getRequestListener((request) => answer(request, { incoming, outgoing }, parts))(incoming, outgoing);
  });
  server.once("close", () => database.close());
  try {
    await listen(server, port, host);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    url: urlOf(host, server.address()),
    apiKey,
    workspaceId,
    requests,
    deployments: () => controlPlane.snapshot(),
    addForeignRevision: (deploymentId, ref) => controlPlane.addForeignRevision(deploymentId, ref),
    setCommit: (ref, sha) => {
      commits.set(ref, sha);
    },
    misbehave: (rule) => misbehaviour.add(rule),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ListenError(`cannot listen on port ${port} of ${host}: ${reason}`, { cause });
  }
}

function urlOf(host: string, address: string | AddressInfo | null): string {
  if (address === null || typeof address === "string")
    throw new Error("the emulator does not listen on a port");
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
