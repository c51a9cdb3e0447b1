import { readdirSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../emulator/index.ts";
import { root } from "../scripts/support/run.ts";
import { type Measurement, median } from "./support/measurement.ts";
import { runNode } from "./support/process.ts";

const rounds = 20;
/** What anything that sends requests has to load. */
const floor = { name: "a script that imports node:https", path: `${root}/bench/support/https-only.mjs` };
/** Of a launcher, as a multiple of the floor. */
const maxStartUp = 2.6;
/** Of a whole deploy, as a multiple of an empty script. */
const maxMemory = 1.8;
/** What the action.yml files start. */
const launchers = readdirSync(join(root, "dist")).filter(
  (file) => /^[a-z-]+\.js$/.test(file) && file !== "index.js",
);

/**
 * The start-up of each launcher without any input, when it ends at once, compared with scripts that do next to nothing: the
 * medians of runs in turn.
 */
export async function measureStartUp(): Promise<Measurement> {
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["node -e 0", ["-e", "0"]],
    [floor.name, [floor.path]],
    ...launchers.map((name) => [name, [`${root}/dist/${name}`]] as const),
  ];
  const times = new Map(commands.map(([name]): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of commands) times.get(name)?.push((await runNode(args, {})).milliseconds);
  }
  const floorTimes = times.get(floor.name) ?? [];
  const results = [...times].map(([name, measured]) => {
    // Within each round, because the machine may become slower from one to the next.
    const ratios = measured.map((milliseconds, round) => milliseconds / (floorTimes[round] ?? Number.NaN));
    return { name, milliseconds: median(measured), ratio: median(ratios) };
  });
  return results.map(({ name, milliseconds, ratio }) => ({
    what: `start-up: ${name}`,
    figure: `${milliseconds.toFixed(0)} ms, ${ratio.toFixed(2)} ×`,
    goal: launchers.includes(name) ? `at most ${maxStartUp} × ${floor.name}` : "",
    isMissed: launchers.includes(name) && ratio > maxStartUp,
  }));
}

/** The peak memory of a complete deploy (create, watch, report), compared with that of a script that does nothing. */
export async function measureMemory(): Promise<Measurement> {
  const emulator = await startEmulator({ statusSeconds: 0.5 });
  const env = {
    INPUT_CONTROL_PLANE_URL: emulator.url,
    INPUT_API_KEY: emulator.apiKey,
    INPUT_WORKSPACE_ID: emulator.workspaceId,
    INPUT_NAME: "bench",
    INPUT_INTEGRATION_ID: "integration",
    INPUT_APP_CONFIG_PATH: "agent.json",
    GITHUB_REPOSITORY: "octo-org/octo-repo",
    GITHUB_REF: "refs/heads/main",
  };
  try {
    const empty = await runNode(["-e", "0"], {}, true);
    const deploy = await runNode([`${root}/dist/deploy.js`], env, true);
    if (deploy.exitCode !== 0) throw new Error(`The deploy ended with ${deploy.exitCode}`);
    const ratio = (deploy.peakMegabytes ?? Number.NaN) / (empty.peakMegabytes ?? Number.NaN);
    return [
      {
        what: "memory: a whole deploy",
        figure: `${deploy.peakMegabytes?.toFixed(0)} MB, ${ratio.toFixed(2)} ×`,
        goal: `at most ${maxMemory} × an empty script`,
        isMissed: !(ratio <= maxMemory),
      },
    ];
  } finally {
    await emulator.close();
  }
}
