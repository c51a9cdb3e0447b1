import { execFileSync } from "node:child_process";
import { startEmulator } from "../emulator/index.ts";
import { launchers } from "../scripts/bundle/launchers.ts";
import { root } from "../scripts/support/run.ts";
import { runNode } from "./support/process.ts";
import { markdownTable, median } from "./support/table.ts";

/** What a measurement found. */
export interface Measurement {
  readonly text: string;
  /** The goals that were missed, as sentences. */
  readonly missedGoals: readonly string[];
}

const rounds = 20;
/** What anything that sends requests has to load. */
const floor = { name: "a script that imports node:https", path: `${root}/bench/support/https-only.mjs` };
/** Of a launcher, as a multiple of the floor. */
const maxStartUp = 1.4;

/**
 * The start-up of each launcher without any input, when it ends at once, compared with scripts that do next to nothing: the
 * medians of runs in turn.
 */
export async function measureStartUp(): Promise<Measurement> {
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["node -e 0", ["-e", "0"]],
    [floor.name, [floor.path]],
    ...[...launchers.keys()].map((name) => [name, [`${root}/dist/${name}`]] as const),
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
  const rows = results.map(({ name, milliseconds, ratio }) => [
    name,
    milliseconds.toFixed(1),
    ratio.toFixed(2),
  ]);
  const slow = results.filter(({ ratio }) => ratio > maxStartUp);
  return {
    text: markdownTable(["entry", "median, ms", "of the script with https"], rows),
    missedGoals: slow.map(
      ({ name, ratio }) => `start-up: ${name} takes ${ratio.toFixed(2)} times as long as ${floor.name}.`,
    ),
  };
}

/** The peak memory of a complete deploy (create, watch, report), compared with that of a script that does nothing. */
export async function measureMemory(): Promise<string> {
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
    const row = (name: string, megabytes = Number.NaN) => [
      name,
      megabytes.toFixed(0),
      (megabytes / (empty.peakMegabytes ?? Number.NaN)).toFixed(2),
    ];
    return markdownTable(
      ["process", "peak, MB", "of the empty script"],
      [row("node -e 0", empty.peakMegabytes), row("a complete deploy", deploy.peakMegabytes)],
    );
  } finally {
    await emulator.close();
  }
}

const maxDownload = 213_000;
/** Of the smallest comparable action. */
const otherDownload = 319_086;

/** What every job that uses the action downloads: the archive of the last commit. */
export function measureDownload(): Measurement {
  const archive = execFileSync("git", ["archive", "--format=tar.gz", "HEAD"], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  const { length } = archive;
  const rows = [["this action", String(length), (length / otherDownload).toFixed(2)]];
  return {
    text: markdownTable(["download", "bytes", "of the smallest other action's"], rows),
    missedGoals: length > maxDownload ? [`download: ${length} bytes are more than ${maxDownload}.`] : [],
  };
}
