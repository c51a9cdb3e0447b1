/** The emulator on a socket, for the command line and for tests in the same process. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { DeploymentSnapshot } from "./control-plane/control-plane.ts";
import type { RevisionView } from "./dialects/views.ts";
import { type Emulation, emulate } from "./emulation.ts";
import { ListenError, messageOf } from "./errors.ts";
import type { FaultRule } from "./faults/fault-rule.ts";
import {
  createListener,
  type Exchange,
  hideFields,
  leavesBodyUnread,
  respondWithFault,
} from "./faults/respond.ts";
import { isLoopback } from "./loopback.ts";
import { type EmulatorOptions, withDefaults } from "./options.ts";
import { Entrance } from "./page/entrance.ts";
import { type LoggedRequest, logEntry, loggedBody } from "./request-log.ts";
import { isUpload } from "./routes/uploads.ts";

/** An emulator that is running. */
export interface Emulator {
  /** Without a trailing slash, without `/api-host`. */
  readonly url: string;
  /** The address of the page, with its token; undefined if it is switched off. */
  readonly pageUrl: string | undefined;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly LoggedRequest[];
  /** All deployments, the oldest first. This is no request: fault rules don't affect it. */
  deployments(): DeploymentSnapshot[];
  /**
   * A new revision by somebody else: the deployment's current configuration, or this ref.
   * @throws {RefusedError} if there is no such deployment
   */
  addConcurrentRevision(deploymentId: string, ref?: string): RevisionView;
  /** The file of an uploaded archive; undefined if it was not uploaded completely for this deployment. */
  archiveOf(deploymentId: string, objectPath: string): string | undefined;
  /** From now on the ref points at this commit. */
  setCommit(ref: string, sha: string): void;
  /** Adds a fault rule after the others. @returns a function that removes it */
  addFault(rule: FaultRule): () => void;
  /** Closes all connections, hanging ones too, ends what is run, and closes the data file. */
  close(): Promise<void>;
}

/**
 * Starts an emulator.
 * @throws {DataFileError} if the data file is not a database
 * @throws {UsageFileError} if a line of the usage file is invalid; then none of its lines is imported
 * @throws {ListenError}
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = withDefaults(options);
  const { host, port, apiKey, workspaceId, keepRequests, onRequest } = settings;
  const requests: LoggedRequest[] = [];
  const url = () => urlOf(host, server.address());
  const emulation = await emulate(settings, url);
  const { controlPlane, executor, uploads, faults, commits } = emulation;
  const entrance = settings.page && isLoopback(host) ? new Entrance(settings, emulation) : undefined;
  const listener = createListener(async (request, exchange) => {
    if (entrance?.isFor(request)) return await entrance.respond(request);
    const entry = logEntry(request);
    const record = entrance?.history.begin(entry);
    if (keepRequests) requests.push(entry);
    const response = await respond(request, entry, exchange, emulation);
    const { outgoing } = exchange;
    // Clients compare times that it shows with this one. By default, Node sends that of the machine.
    if (!outgoing.headersSent && !response.headers.has("date"))
      outgoing.setHeader("date", new Date(settings.now()).toUTCString());
    entry.status = outgoing.headersSent ? outgoing.statusCode : response.status;
    record?.end();
    onRequest(entry);
    return response;
  });
  const server = createServer(listener);
  try {
    await executor.start();
    await listen(server, port, host);
  } catch (error) {
    await emulation.close();
    throw error;
  }
  return {
    url: url(),
    pageUrl: entrance?.urlAt(url()),
    apiKey,
    workspaceId,
    requests,
    deployments: () => controlPlane.snapshot(),
    addConcurrentRevision: (deploymentId, ref) => controlPlane.addConcurrentRevision(deploymentId, ref),
    archiveOf: (deploymentId, objectPath) => uploads.archiveOf(deploymentId, objectPath),
    setCommit: (ref, sha) => {
      commits.set(ref, sha);
    },
    addFault: (rule) => faults.add(rule),
    async close() {
      await close(server);
      await emulation.close();
    },
  };
}

/** The response of the application, unless a fault changes it. */
async function respond(
  request: Request,
  entry: LoggedRequest,
  exchange: Exchange,
  { app, faults }: Emulation,
): Promise<Response> {
  const line = { method: entry.method, path: entry.path.replace(/^\/api-host(?=\/)/, "") };
  const fault = faults.faultFor(line);
  const received =
    isUpload(line.path) || (fault && leavesBodyUnread(fault)) ? request : await readBody(request, entry);
  const respondAsUsual = async () => hideFields(await app.fetch(received), faults.hiddenFields(line));
  return fault ? await respondWithFault(fault, respondAsUsual, exchange) : await respondAsUsual();
}

/** The request with its body in memory, where the log keeps it too. */
async function readBody(request: Request, entry: LoggedRequest): Promise<Request> {
  const text = await request.text();
  entry.body = loggedBody(text);
  const { method, headers } = request;
  return new Request(request.url, { method, headers, body: text === "" ? null : text });
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const reason = messageOf(cause);
    throw new ListenError(`cannot listen on port ${port} of ${host}: ${reason}. Set another --port.`, {
      cause,
    });
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function urlOf(host: string, address: string | AddressInfo | null): string {
  if (address === null || typeof address === "string") {
    throw new Error("the emulator does not listen on a port");
  }
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
