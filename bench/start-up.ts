import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { actionFolders, readActionFile } from "../scripts/docs/action-file.ts";
import { mustRun, root } from "../scripts/support/run.ts";
import { deployEnv, runDeploy } from "./support/deploy.ts";
import { type Measurement, median } from "./support/measurement.ts";
import { runNode } from "./support/process.ts";

const rounds = 20;
/** Of a launcher, as a multiple of the floor. */
const maxStartUp = 1.35;
/** Of a whole deploy, as a multiple of an empty script. */
const maxMemory = 2.3;
/** What the action.yml files start. */
const runs = actionFolders.map((action) => readActionFile(join(root, action, "action.yml")).runs);
const actions = runs.map(({ main }) => basename(main));
const postSteps = runs.flatMap(({ post }) => (post === undefined ? [] : [basename(post)]));

/**
 * The floor: an action that only imports GitHub's toolkit, bundled as ours is. `use` gets its path. @throws if it can't be
 * bundled
 */
async function withFloor<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bench-floor-"));
  try {
    const source = join(root, "bench", "support", "toolkit-only.mjs");
    await mustRun("ncc", ["build", source, "--out", folder, "--minify", "--no-cache", "--quiet"]);
    return await use(join(folder, "index.mjs"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The slowest start-up of an action and of a post step without any input, when it ends at once, and the time of a deploy until
 * its first request, each compared with the floor.
 */
export async function measureStartUp(): Promise<Measurement> {
  return await withFloor(async (floor) => [
    ...(await measureLaunchers(floor)),
    ...(await measureFirstRequest(floor)),
  ]);
}

/** The medians of runs in turn. */
async function measureLaunchers(floorPath: string): Promise<Measurement> {
  const floor = "an action that only imports the toolkit";
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["node -e 0", ["-e", "0"]],
    [floor, [floorPath]],
    ...[...actions, ...postSteps].map((name) => [name, [`${root}/dist/${name}`]] as const),
  ];
  const times = new Map(commands.map(([name]): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of commands) times.get(name)?.push((await runNode(args, {})).milliseconds);
  }
  const floorTimes = times.get(floor) ?? [];
  const results = [...times].map(([name, measured]) => {
    // Within each round, because the machine may become slower from one to the next.
    const ratios = measured.map((milliseconds, round) => milliseconds / (floorTimes[round] ?? Number.NaN));
    return { name, milliseconds: median(measured), ratio: median(ratios) };
  });
  const figure = ({ milliseconds, ratio }: StartUp) => `${milliseconds.toFixed(0)} ms, ${ratio.toFixed(2)} ×`;
  const compared = results.slice(0, 2).map((result) => ({
    what: `start-up: ${result.name}`,
    figure: figure(result),
    goal: "",
    isMissed: false,
  }));
  const slowest = (what: string, names: readonly string[]) =>
    results
      .filter(({ name }) => names.includes(name))
      .toSorted((one, other) => other.ratio - one.ratio)
      .slice(0, 1)
      .map((result) => ({
        what: `start-up: slowest ${what}, ${result.name}`,
        figure: figure(result),
        goal: `at most ${maxStartUp} ×`,
        isMissed: result.ratio > maxStartUp,
      }));
  return [...compared, ...slowest("action", actions), ...slowest("post step", postSteps)];
}

interface StartUp {
  readonly milliseconds: number;
  /** Of the floor. */
  readonly ratio: number;
}

/**
 * How long a deploy of a git ref with a token takes until it sends its first request, compared in turn with the floor: unlike
 * a run without inputs, it has read all of them and loaded everything up to there.
 */
async function measureFirstRequest(floor: string): Promise<Measurement> {
  const times: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const floorTime = (await runNode([floor], {})).milliseconds;
    const milliseconds = await firstRequestTime();
    times.push(milliseconds);
    ratios.push(milliseconds / floorTime);
  }
  const figure = `${median(times).toFixed(0)} ms, ${median(ratios).toFixed(2)} ×`;
  return [{ what: "start-up: deploy.js until its first request", figure, goal: "", isMissed: false }];
}

/** In milliseconds. The run is ended then. @throws if it ends before */
async function firstRequestTime(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const url = `http://127.0.0.1:${address.port}`;
  const env = { ...deployEnv({ url, apiKey: "key-of-bench", workspaceId }), ...githubEnv(url) };
  const began = performance.now();
  const deploy = spawn(process.execPath, [`${root}/dist/deploy.js`], { env, stdio: "ignore" });
  const ended = once(deploy, "exit");
  const first = await Promise.race([once(server, "request").then(() => performance.now()), ended]);
  deploy.kill("SIGKILL");
  await ended;
  server.closeAllConnections();
  server.close();
  if (typeof first !== "number") throw new Error("the deploy ended without a request; is dist/ built?");
  return first - began;
}

const workspaceId = "00000000-0000-4000-8000-000000000000";

function githubEnv(url: string): Record<string, string> {
  return { INPUT_GITHUB_TOKEN: "token-of-bench", GITHUB_API_URL: url, PATH: process.env.PATH ?? "" };
}

/** The peak memory of a complete deploy (create, watch, report), compared with that of a script that does nothing. */
export async function measureMemory(): Promise<Measurement> {
  const empty = await runNode(["-e", "0"], {}, true);
  const deploy = await runDeploy(0.5, true);
  const ratio = (deploy.peakMegabytes ?? Number.NaN) / (empty.peakMegabytes ?? Number.NaN);
  return [
    {
      what: "memory: a whole deploy",
      figure: `${deploy.peakMegabytes?.toFixed(0)} MB, ${ratio.toFixed(2)} ×`,
      goal: `at most ${maxMemory} ×`,
      isMissed: !(ratio <= maxMemory),
    },
  ];
}
