import { execFileSync } from "node:child_process";
import { startEmulator } from "../emulator/server.ts";
import { launchers } from "../scripts/bundle/launchers.ts";
import { root } from "../scripts/support/run.ts";
import { runNode } from "./support/process.ts";
import { markdownTable, median } from "./support/table.ts";

const rounds = 20;

/**
 * Start-up of each launcher without any input, where it ends at once, against a script that does nothing, in turn in
 * the same run: medians in milliseconds, and their ratio.
 */
export async function startUpTable(): Promise<string> {
  const times = new Map<string, number[]>(["node -e 0", ...launchers.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measured] of times) {
      const args = name === "node -e 0" ? ["-e", "0"] : [`${root}/dist/${name}`];
      measured.push((await runNode(args, {})).milliseconds);
    }
  }
  const floor = median(times.get("node -e 0") ?? []);
  const rows = [...times].map(([name, measured]) => [
    name,
    median(measured).toFixed(1),
    (median(measured) / floor).toFixed(2),
  ]);
  return markdownTable(["entry", "median, ms", "of the floor"], rows);
}

/** Peak memory of a whole deploy (create, watch, report), against that of a script that does nothing. */
export async function memoryTable(): Promise<string> {
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
    const floor = await runNode(["-e", "0"], {}, true);
    const deploy = await runNode([`${root}/dist/deploy.js`], env, true);
    if (deploy.exitCode !== 0) throw new Error(`the deploy ended with ${deploy.exitCode}`);
    const row = (name: string, megabytes = Number.NaN) => [
      name,
      megabytes.toFixed(0),
      (megabytes / (floor.peakMegabytes ?? Number.NaN)).toFixed(2),
    ];
    return markdownTable(
      ["process", "peak, MB", "of the floor"],
      [row("node -e 0", floor.peakMegabytes), row("a whole deploy", deploy.peakMegabytes)],
    );
  } finally {
    await emulator.close();
  }
}

/** What each job downloads: the archive of the last commit, against the leanest peer's 319,086 bytes. */
export function downloadTable(): string {
  const archive = execFileSync("git", ["archive", "--format=tar.gz", "HEAD"], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  const leanestPeer = 319_086;
  const rows = [["this action", String(archive.length), (archive.length / leanestPeer).toFixed(2)]];
  return markdownTable(["download", "bytes", "of the leanest peer's"], rows);
}
