// `npm run test:workflows [-- FILE …]`: runs real workflow files with act (https://github.com/nektos/act), a runner that this
// project did not write, against the emulator and the tests' GitHub. All files of __tests__/workflows run, or those whose names
// contain one of the arguments. The actions are those in dist/.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { leftOut } from "../__tests__/workflows/values.ts";
import { root, runJest } from "./support/run.ts";

const act = process.env.ACT || "act";

/** What a run here can't show, because act does it in another way than GitHub, or not at all. */
const differences = [
  "Nothing waits and nothing is cancelled by `concurrency`.",
  "`environment` of a job: no approval, no secrets of its own, no record.",
  "`deployment: false` and `queue: max` are taken out of the workflows, because act refuses them, and so is the `ref` of a checkout.",
  "Steps in the `background` run one after the other.",
  "`permissions` are not applied. The tests' GitHub accepts every request of the token.",
  "`on` only names events: branches, tags, paths and types are not compared.",
  "Jobs run on this machine, one folder for each action: two jobs of a matrix would disturb each other, so each runs alone.",
  "A cancelled step is killed at once, without SIGINT before. What a step starts in its terminal ends with the step.",
  "The commit of a run is the one that is checked out, whatever the event says.",
];

const version = versionOf(act);
if (version === undefined) {
  console.error(
    `${act} was not found. Install act, such as with \`go install github.com/nektos/act@latest\`, and put it on PATH or set ACT to its path.`,
  );
  process.exitCode = 2;
} else {
  const standIns = readdirSync(join(root, "__tests__/workflows/actions/actions"));
  const lines = [
    `Runner: ${version}, without containers`,
    "actions/checkout: act copies the checkout",
    ...standIns.map((name) => `actions/${name}: a stand-in`),
    ...Object.entries(leftOut).map(([name, reason]) => `Left out: ${name}, because ${reason}`),
    "Unlike GitHub:",
    ...differences.map((difference) => `- ${difference}`),
  ];
  console.log(`${lines.join("\n")}\n`);
  const files = ["--testMatch", "**/__tests__/workflows/*.workflow.ts", "--", ...process.argv.slice(2)];
  process.exitCode = await runJest(["--runInBand", ...files], { ACT: act });
}

function versionOf(program: string): string | undefined {
  try {
    return execFileSync(program, ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
