/** The emulator on a socket: started by the command line and, in process, by tests. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type AnsweringParts, answer } from "./answering.ts";
import type { DeploymentSnapshot } from "./deployments/control-plane.ts";
import type { RevisionView } from "./deployments/views.ts";
import { emulate } from "./emulation.ts";
import type { RuleInput } from "./misbehave/rules.ts";
import { type EmulatorOptions, settingsOf } from "./options.ts";
import type { LoggedRequest } from "./request-log.ts";

export { DEFAULT_WORKSPACE_ID, type EmulatorOptions } from "./options.ts";

/** An emulator that is running. */
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
  const settings = settingsOf(options);
  const { host, port, apiKey, workspaceId } = settings;
  const requests: LoggedRequest[] = [];
  const url = () => urlOf(host, server.address());
  const { app, controlPlane, misbehaviour, commits, database } = emulate(settings, url);
  const onArrival = (request: LoggedRequest) => {
    if (settings.keepRequests) requests.push(request);
  };
  const server = serverOf({ app, misbehaviour, onArrival, onEnd: settings.onRequest });
  server.once("close", () => database.close());
  try {
    await listen(server, port, host);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    url: url(),
    apiKey,
    workspaceId,
    requests,
    deployments: () => controlPlane.snapshot(),
    addForeignRevision: (deploymentId, ref) => controlPlane.addForeignRevision(deploymentId, ref),
    setCommit: (ref, sha) => {
      commits.set(ref, sha);
    },
    misbehave: (rule) => misbehaviour.add(rule),
    close: () => close(server),
  };
}

function serverOf(parts: AnsweringParts): Server {
  return createServer((incoming, outgoing) => {
    void getRequestListener((request) => answer(request, { incoming, outgoing }, parts))(incoming, outgoing);
  });
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

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function urlOf(host: string, address: string | AddressInfo | null): string {
  if (address === null || typeof address === "string")
    throw new Error("the emulator does not listen on a port");
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
