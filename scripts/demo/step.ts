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

/** What a runner would hand on to reach a control plane through the network that the demo runs in. */
const network = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
const certificates = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** One step of the workflow that the demo plays through. */
export interface Step {
  readonly title: string;
  readonly action: ActionName;
  readonly inputs: Readonly<Record<string, string>>;
  /** Values that GitHub would mask because they are secrets of the repository. */
  readonly secrets: readonly string[];
}

/** Runs a step as a runner would, shows its log, and keeps its summary under a file name made of the title. */
export async function play(step: Step): Promise<ActionRun> {
  const passedOn = [...network, ...certificates].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  console.log(`\n${styleText("bold", `━━ ${step.title}`)}\n`);
  const run = await runAction({ ...step, env: Object.fromEntries(passedOn), limit });
  const uses = step.action === "deploy" ? "OWNER/REPO@v1" : `OWNER/REPO/${step.action}@v1`;
  const given = Object.entries(step.inputs).map(([name, value]) => `  ${name}: ${value}`);
  console.log(
    run.log.masked([`##[group]Run ${uses}`, "with:", ...given].join("\n")).replace(/^##\[group\]/, "▶ "),
  );
  for (const line of shownLog(run.log.lines)) console.log(line);
  mkdirSync(summaries, { recursive: true });
  const file = join(summaries, `${step.title.toLowerCase().replaceAll(/\W+/g, "-")}.md`);
  writeFileSync(file, run.log.masked(run.summary));
  console.log(
    styleText("dim", `\nThe step ends in ${run.conclusion}, exit code ${run.exitCode}. Its outputs:`),
  );
  for (const [name, value] of Object.entries(run.outputs))
    console.log(styleText("dim", `  ${name}: ${value}`));
  return run;
}
