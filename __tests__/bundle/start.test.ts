import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { root } from "../../scripts/support/run.ts";
import { inputVariables } from "../support/runner/step-environment.ts";
import { defaultInputs, pushToMain } from "../support/scenario.ts";

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

/** Runs the root action after this code; `log`: where its output goes. */
async function started(
  code: string,
  log: "pipe" | "closed" | number = "pipe",
): Promise<{ exitCode: number | null; output: string }> {
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
  for (const path of Object.values(files)) await writeFile(path, "");
  const inputs = {
    control_plane_url: emulator.url,
    api_key: emulator.apiKey,
    workspace_id: emulator.workspaceId,
    ...defaultInputs,
  };
  const before = `data:text/javascript,${encodeURIComponent(code)}`;
  const child = spawn(process.execPath, ["--import", before, join(root, "dist", "deploy.js")], {
    env: { PATH: process.env.PATH, ...pushToMain, ...files, ...inputVariables(inputs) },
    stdio: ["ignore", typeof log === "number" ? log : "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  if (log === "closed") child.stdout?.once("data", () => child.stdout?.destroy());
  const [exitCode] = await once(child, "close");
  return { exitCode, output };
}

test("a run on an earlier Node.js fails with the version that it needs, and sends nothing", async () => {
  const { exitCode, output } = await started(
    'Object.defineProperty(process.versions, "node", { value: "20.20.2" });',
  );

  const message =
    "This action needs Node.js 24, but runs on 20.20.2. Update the runner to 2.329.0 or newer. With act, put Node.js 24 first on PATH.";
  expect(output.trim()).toBe(`::error title=Node.js is too old::${message}`);
  expect(exitCode).toBe(1);
  expect(emulator.requests).toEqual([]);
});

test("a run that stalls with no pending work fails the step", async () => {
  emulator.addFault({
    kind: "statuses",
    sequence: [{ status: "QUEUED", seconds: 600 }, { status: "DEPLOYED" }],
  });

  const { exitCode, output } = await started(`
    import timers from "node:timers/promises";
    timers.setTimeout = () => new Promise(() => {});`);

  expect(output).toContain("QUEUED");
  expect(output).toMatch(/::error title=Internal error::Internal error: "stalled with no pending work"/);
  expect(exitCode).toBe(1);
});

describe("a run whose log can't be written completes anyway", () => {
  async function expectCompleted(exitCode: number | null): Promise<void> {
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, "output"), "utf8")).toMatch(/^deployed$/m);
    expect(await readFile(join(folder, "summary"), "utf8")).toContain("## ✅ Deployment");
  }

  test("if its reader is gone", async () => {
    await expectCompleted((await started("", "closed")).exitCode);
  });

  test("if the disk is full", async () => {
    const log = await open("/dev/full", "w");
    try {
      await expectCompleted((await started("", log.fd)).exitCode);
    } finally {
      await log.close();
    }
  });
});
