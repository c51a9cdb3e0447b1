import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
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

/** Runs the root action in a process of its own, in which this code runs first; `log`: where its output goes. */
async function started(
  code: string,
  { env = {}, log = "pipe" }: { env?: Record<string, string>; log?: "pipe" | "hang up" | number } = {},
): Promise<{ exitCode: number | null; output: string }> {
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
    env: { PATH: process.env.PATH, ...pushToMain, ...files, ...env, ...Object.fromEntries(variables) },
    stdio: ["ignore", typeof log === "number" ? log : "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  if (log === "hang up") child.stdout?.once("data", () => child.stdout?.destroy());
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

describe("a log that can't be written any more is no reason to leave the rest undone:", () => {
  async function expectDone(exitCode: number | null): Promise<void> {
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, "output"), "utf8")).toMatch(/^deployed$/m);
    expect(await readFile(join(folder, "summary"), "utf8")).toContain("## ✅ Deployment");
  }

  test("its reader hung up", async () => {
    await expectDone((await started("", { log: "hang up" })).exitCode);
  });

  test.each([
    ["the disk is full", "/dev/full", "w"],
    ["it is no file to write to", "/dev/null", "r"],
  ])("%s", async (_title, path, flags) => {
    const log = await open(path, flags);
    try {
      await expectDone((await started("", { log: log.fd })).exitCode);
    } finally {
      await log.close();
    }
  });
});

describe("a file of the runner's that can't be written is a warning:", () => {
  test.each([
    ["GITHUB_OUTPUT", "this step has no outputs, or not all"],
    ["GITHUB_STATE", "the end of the job can't tell of this step if it is killed"],
    ["GITHUB_STEP_SUMMARY", "there is no job summary"],
  ])("%s", async (variable, lost) => {
    const { exitCode, output } = await started("", { env: { [variable]: "/dev/full" } });
    expect(output).toContain("is live");
    const warnings = output.split("\n").filter((line) => line.startsWith("::warning::"));
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`^::warning::${variable} can't be written .*ENOSPC.*: ${lost}`)),
    ]);
    expect(output).not.toContain("::error::");
    expect(exitCode).toBe(0);
  });
});

test("an event's file that is cut is no trouble of GitHub's, nor of a permission", async () => {
  const path = join(folder, "event.json");
  await writeFile(path, '{"action":');
  const env = { GITHUB_EVENT_PATH: path, INPUT_ENVIRONMENT: "production", INPUT_GITHUB_TOKEN: "ghs_1" };
  const { exitCode, output } = await started("", { env });
  const warnings = output.split("\n").filter((line) => line.startsWith("::warning::"));
  expect(warnings).not.toEqual([]);
  for (const warning of warnings)
    expect(warning).toMatch(/GitHub wasn't asked: check .* and the event's file in GITHUB_EVENT_PATH\./);
  expect(exitCode).toBe(0);
});
