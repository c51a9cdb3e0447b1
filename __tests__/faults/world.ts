import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { call, deploymentIn } from "../emulator/support/client.ts";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { listen } from "../support/listen.ts";
import { defaultCreate } from "../support/scenario.ts";
import { canaries } from "./canaries.ts";
import type { Certificates } from "./certificates.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";
import type { ArmedFault } from "./misbehave.ts";
import type { Given, Scenario, Stage, Target } from "./scenario.ts";

/** A host that nothing must ever be sent to. */
export interface Elsewhere {
  readonly url: string;
  /** Connections that were made to it. */
  readonly visits: number;
}

/** All servers of one run, set up for its scenario, with a proxy before each that the run is given to talk to. */
export interface World {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn | undefined;
  readonly platform: FaultyProxy;
  readonly gitHubProxy: FaultyProxy | undefined;
  readonly elsewhere: Elsewhere;
  readonly given: Given;
  /** The workspace of the job. */
  readonly workspace: string;
  /** A file with the event's payload. */
  readonly eventPath: string;
  /** A file with the authority that the proxies' certificates are of. */
  readonly authorityPath: string;
  close(): Promise<void>;
}

/** The time that the servers live in. */
export interface Time {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Lets so many seconds go by. */
  readonly pass: (seconds: number) => Promise<void>;
  /** How long each pending status of a revision lasts. */
  readonly statusSeconds: number;
}

/** The fault that the proxy before one of the servers is to make. */
export interface Arming {
  readonly server: Target["server"];
  readonly fault: Omit<ArmedFault, "elsewhere">;
}

/** Starts the servers of a scenario. */
export async function startWorld(
  scenario: Scenario,
  certificates: Certificates,
  time: Time,
  arming?: Arming,
): Promise<World> {
  const { now, statusSeconds } = time;
  const elsewhere = await startElsewhere();
  const emulator = await startEmulator({
    now,
    statusSeconds,
    apiKey: canaries.apiKey,
    ...scenario.emulator,
  });
  const github = scenario.github && (await startGitHub({ now, ...scenario.github }));
  const given = await scenario.setUp(stageOf(emulator, github, time));
  const armedAt = (server: Target["server"]) =>
    arming?.server === server ? { ...arming.fault, elsewhere: elsewhere.url } : undefined;
  const platform = await startFaultyProxy({
    target: emulator.url,
    now,
    certificates,
    armed: armedAt("platform"),
  });
  const gitHubProxy =
    github && (await startFaultyProxy({ target: github.url, now, certificates, armed: armedAt("GitHub") }));
  const folder = mkdtempSync(join(tmpdir(), "fault-matrix-"));
  const workspace = join(folder, "workspace");
  const eventPath = join(folder, "event.json");
  const authorityPath = join(folder, "authority.pem");
  mkdirSync(workspace);
  writeFileSync(authorityPath, certificates.authority);
  writeFileSync(eventPath, JSON.stringify(given.event?.payload ?? {}));
  return {
    emulator,
    github,
    platform,
    gitHubProxy,
    elsewhere,
    given,
    workspace,
    eventPath,
    authorityPath,
    async close() {
      const proxies = [platform, gitHubProxy].filter((proxy) => proxy !== undefined);
      for (const { close } of proxies) close();
      await elsewhere.close();
      await emulator.close();
      await github?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function stageOf(emulator: Emulator, github: GitHubStandIn | undefined, { pass }: Time): Stage {
  return {
    emulator,
    pass,
    github() {
      if (github === undefined) throw new Error("This scenario doesn't use GitHub");
      return github;
    },
    async existing(name, request = {}, passSeconds = 60) {
      const answer = await call(emulator, "POST /v2/deployments", { ...defaultCreate, name, ...request });
      await pass(passSeconds);
      const { id, latest } = deploymentIn(answer);
      return { id, revisionId: latest };
    },
    async elsewhere(line, body) {
      const { status } = await call(emulator, line, body);
      if (status >= 300) throw new Error(`${line} was answered with ${status}`);
    },
  };
}

async function startElsewhere(): Promise<Elsewhere & { close(): Promise<void> }> {
  let visits = 0;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    visits += 1;
    sockets.push(socket.on("error", () => socket.destroy()));
    socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}");
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/elsewhere`,
    get visits() {
      return visits;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
