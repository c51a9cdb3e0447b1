import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { call, deploymentIn } from "../emulator/support/client.ts";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { defaultCreate } from "../support/scenario.ts";
import { canaries } from "./canaries.ts";
import type { Certificates } from "./certificates.ts";
import { type Elsewhere, startElsewhere } from "./elsewhere.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";
import type { ArmedFault } from "./misbehave.ts";
import type { Given, Scenario, Stage, Target } from "./scenario.ts";

interface Files {
  /** Where all of them are. */
  readonly folder: string;
  /** The workspace of the job. */
  readonly workspace: string;
  /** A file with the event's payload. */
  readonly eventPath: string;
  /** A file with the authority that the proxies' certificates are of. */
  readonly authorityPath: string;
}

/** All servers of one run, set up for its scenario, with a proxy before each that the run is given to talk to. */
export interface World extends Files {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn | undefined;
  readonly platform: FaultyProxy;
  readonly gitHubProxy: FaultyProxy | undefined;
  readonly elsewhere: Elsewhere;
  readonly given: Given;
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
  const files = makeFiles(given, certificates);
  return {
    emulator,
    github,
    platform,
    gitHubProxy,
    elsewhere,
    given,
    ...files,
    async close() {
      const proxies = [platform, gitHubProxy].filter((proxy) => proxy !== undefined);
      for (const { close } of proxies) close();
      await elsewhere.close();
      await emulator.close();
      await github?.close();
      rmSync(files.folder, { recursive: true, force: true });
    },
  };
}

function makeFiles({ event }: Given, { authority }: Certificates): Files {
  const folder = mkdtempSync(join(tmpdir(), "fault-matrix-"));
  const workspace = join(folder, "workspace");
  const eventPath = join(folder, "event.json");
  const authorityPath = join(folder, "authority.pem");
  mkdirSync(workspace);
  writeFileSync(authorityPath, authority);
  writeFileSync(eventPath, JSON.stringify(event?.payload ?? {}));
  return { folder, workspace, eventPath, authorityPath };
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
