import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, deploymentIn } from "../../emulator/__tests__/support/client.ts";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { listen } from "../support/listen.ts";
import { defaultToken } from "../support/runner/run-action.ts";
import { defaultCreate } from "../support/scenario.ts";
import type { Certificates } from "./certificates.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";
import type { Request, Scenario, Setup, StepOptions } from "./scenario.ts";
import type { PlacedFault } from "./wire-fault.ts";

/** A value for every secret of a run, unlike anything else. */
export const canaries = {
  apiKey: "canary-api-key-2f6d1c7e9b",
  secret: "canary-secret-value-5a1b88",
  clientSecret: "canary-client-secret-77aa01",
  token: defaultToken,
} as const;

/** The input `secrets` of every step that deploys. */
export const secretsInput = `A_SECRET=${canaries.secret}`;

/** The servers of one run, set up for its scenario, with a proxy before each. */
export interface TestBed {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn | undefined;
  readonly platform: FaultyProxy;
  readonly gitHubProxy: FaultyProxy | undefined;
  readonly otherHost: OtherHost;
  readonly options: StepOptions;
  readonly files: Files;
  close(): Promise<void>;
}

interface Files {
  readonly folder: string;
  readonly workspace: string;
  /** A file with the event's payload. */
  readonly eventPath: string;
  /** A file with the authority of the proxies' certificates. */
  readonly authorityPath: string;
}

/** The time of the servers. */
export interface Time {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pass: (seconds: number) => Promise<void>;
  /** How long each pending status of a revision lasts. */
  readonly statusSeconds: number;
}

/** A fault for the proxy before one of the servers. */
export interface ServerFault extends Omit<PlacedFault, "otherHost"> {
  readonly server: Request["server"];
}

/** Starts the servers of a scenario. */
export async function startTestBed(
  scenario: Scenario,
  certificates: Certificates,
  time: Time,
  fault?: ServerFault,
): Promise<TestBed> {
  const { now, statusSeconds } = time;
  const otherHost = await startOtherHost();
  const emulator = await startEmulator({ now, statusSeconds, apiKey: canaries.apiKey, ...scenario.emulator });
  const github = scenario.github && (await startGitHub({ now, ...scenario.github }));
  const options = await scenario.setUp(setupOf(emulator, github, time));
  const proxyTo = (server: Request["server"], target: string) => {
    const placed = fault?.server === server ? { ...fault, otherHost: otherHost.url } : undefined;
    return startFaultyProxy({ target, now, certificates, placed });
  };
  const platform = await proxyTo("platform", emulator.url);
  const gitHubProxy = github && (await proxyTo("GitHub", github.url));
  const files = makeFiles(options, certificates);
  return {
    emulator,
    github,
    platform,
    gitHubProxy,
    otherHost,
    options,
    files,
    async close() {
      const servers = [platform, gitHubProxy, otherHost].filter((server) => server !== undefined);
      for (const { close } of servers) close();
      await emulator.close();
      await github?.close();
      rmSync(files.folder, { recursive: true, force: true });
    },
  };
}

function makeFiles({ event, files = {} }: StepOptions, { authority }: Certificates): Files {
  const folder = mkdtempSync(join(tmpdir(), "fault-matrix-"));
  const workspace = join(folder, "workspace");
  const eventPath = join(folder, "event.json");
  const authorityPath = join(folder, "authority.pem");
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  writeFileSync(authorityPath, authority);
  writeFileSync(eventPath, JSON.stringify(event?.payload ?? {}));
  return { folder, workspace, eventPath, authorityPath };
}

function setupOf(emulator: Emulator, github: GitHubStandIn | undefined, { pass }: Time): Setup {
  return {
    emulator,
    pass,
    github() {
      if (github === undefined) throw new Error("This scenario does not use GitHub");
      return github;
    },
    async existing(name, request = {}, passSeconds = 60) {
      const created = await call(emulator, "POST /v2/deployments", { ...defaultCreate, name, ...request });
      await pass(passSeconds);
      const { id, latest } = deploymentIn(created);
      return { id, revisionId: latest };
    },
    async request(line, body) {
      const { status } = await call(emulator, line, body);
      if (status >= 300) throw new Error(`The response to ${line} was ${status}`);
    },
  };
}

/** A host that nothing must ever be sent to. */
interface OtherHost {
  readonly url: string;
  /** The number of connections to it. */
  readonly visits: number;
  close(): void;
}

async function startOtherHost(): Promise<OtherHost> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => socket.destroy()));
    socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}");
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/other-host`,
    get visits() {
      return sockets.length;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
