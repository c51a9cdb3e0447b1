import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { defaultInputs, pushToMain } from "../support/scenario.ts";

const source = (path: string) => pathToFileURL(join(import.meta.dirname, "../../src", path)).href;
const startUrl = source("start.ts");
const clockUrl = source("clock.ts");

let emulator: Emulator;
let folder: string;

beforeEach(async () => {
  emulator = await startEmulator({ statusSeconds: 0 });
  folder = await mkdtemp(join(tmpdir(), "start-"));
});

afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

/** Runs the root action in a process of its own, in which this code runs first. */
async function started(code: string): Promise<{ exitCode: number | null; output: string }> {
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
  for (const path of Object.values(files)) await writeFile(path, "");
  const inputs = {
    control_plane_url: emulator.url,
    api_key: emulator.apiKey,
    workspace_id: emulator.workspaceId,
    ...defaultInputs,
  };
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const script = `import { start } from ${JSON.stringify(startUrl)};\n${code}\nvoid start("deploy", "main");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { PATH: process.env.PATH, ...pushToMain, ...files, ...Object.fromEntries(variables) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [exitCode] = await once(child, "close");
  return { exitCode, output };
}

test("a run that succeeds exits with 0, on its own", async () => {
  const { exitCode, output } = await started("");
  expect(output).toContain("is live");
  expect(exitCode).toBe(0);
});

test("an exception that nobody waits for fails the step, even if the deployment went well", async () => {
  const { exitCode, output } = await started(`setImmediate(() => Promise.reject(new Error("stray")));`);
  expect(output).toContain("is live");
  expect(output).toContain("::error::This action has a defect: stray");
  expect(exitCode).toBe(1);
});

test("a process that runs out of things to wait for in the middle of a run ends as a failure", async () => {
  emulator.misbehave({
    kind: "statuses",
    sequence: [{ status: "QUEUED", seconds: 600 }, { status: "DEPLOYED" }],
  });
  const { exitCode, output } = await started(
    `const { systemClock } = await import(${JSON.stringify(clockUrl)});\nsystemClock.sleep = () => new Promise(() => {});`,
  );
  expect(output).toContain("QUEUED");
  expect(output).toMatch(/::error::This action has a defect: it waits for what can never come/);
  expect(exitCode).toBe(1);
});
