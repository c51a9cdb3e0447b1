import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import { type ActionName, type ActionRun, runAction } from "../../__tests__/support/runner/run-action.ts";
import { root } from "../support/run.ts";
import { shownLog } from "./shown-log.ts";

/** Where the job summaries go, for reading on after the demo. */
export const summaries = join(root, "demo-output");

/** Longer than the action itself waits; milliseconds. */
const limit = 40 * 60 * 1000;

/** What it takes to reach a control plane from the network that the demo runs in. */
const passedOn = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** One step of the workflow that the demo plays through. */
export interface Step {
  readonly title: string;
  readonly action: ActionName;
  readonly inputs: Readonly<Record<string, string>>;
  /** Values that GitHub would mask because they are secrets of the repository. */
  readonly secrets: readonly string[];
}

/** Runs a step as a runner would, shows what its log would show, and keeps its summary in a file named by its title. */
export async function play(step: Step): Promise<ActionRun> {
  console.log(`\n${styleText("bold", `━━ ${step.title}`)}\n`);
  const env = Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const run = await runAction({ ...step, env, limit });
  for (const line of [...head(step, run), ...shownLog(run.log.lines), ...foot(run)]) console.log(line);
  mkdirSync(summaries, { recursive: true });
  const file = `${step.title.toLowerCase().replaceAll(/\W+/g, "-")}.md`;
  writeFileSync(join(summaries, file), run.log.masked(run.summary));
  return run;
}

/** What the runner writes before the action's own words: the step's `with:`, secrets masked. */
function head({ action, inputs }: Step, { log }: ActionRun): string[] {
  const uses = action === "deploy" ? "OWNER/REPO@v1" : `OWNER/REPO/${action}@v1`;
  const given = Object.entries(inputs).map(([name, value]) => log.masked(`    ${name}: ${value}`));
  return [styleText("bold", `▼ Run ${uses}`), "  with:", ...given];
}

/** What a workflow would know of the step when it has ended. */
function foot({ conclusion, exitCode, outputs }: ActionRun): string[] {
  const shown = Object.entries(outputs).map(([name, value]) => `  ${name}: ${value}`);
  return ["", `The step ends in ${conclusion}, exit code ${exitCode}. Its outputs:`, ...shown].map((line) =>
    styleText("dim", line),
  );
}
