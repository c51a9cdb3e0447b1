import { basename, join } from "node:path";
import { actionFolders, readActionFile } from "../scripts/docs/action-file.ts";
import { root } from "../scripts/support/run.ts";
import { runDeploy } from "./support/deploy.ts";
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
const launchers = actionFolders.flatMap((action) => {
  const { main, post } = readActionFile(join(root, action, "action.yml")).runs;
  return [main, post].filter((file) => file !== undefined).map((file) => basename(file));
});

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
  const empty = await runNode(["-e", "0"], {}, true);
  const deploy = await runDeploy(0.5, true);
  const ratio = (deploy.peakMegabytes ?? Number.NaN) / (empty.peakMegabytes ?? Number.NaN);
  return [
    {
      what: "memory: a whole deploy",
      figure: `${deploy.peakMegabytes?.toFixed(0)} MB, ${ratio.toFixed(2)} ×`,
      goal: `at most ${maxMemory} × an empty script`,
      isMissed: !(ratio <= maxMemory),
    },
  ];
}
