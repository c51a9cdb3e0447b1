import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { root } from "../../scripts/support/run.ts";

const limit = 60_000;

async function demo(env: Readonly<Record<string, string>>) {
  const child = spawn("node", ["scripts/demo.ts"], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { stdout, stderr, exitCode };
}

function summaries(): Record<string, string> {
  const folder = join(root, "demo-output");
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

test(
  "the demo shows a create, an update and a build that fails, and leaves their summaries",
  async () => {
    const { stdout, stderr, exitCode } = await demo({});
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toMatch(/^Error: .*BUILD_FAILED/m);
    expect(stdout).toContain("DEMO_SECRET=***");
    expect(summaries()).toEqual({
      "1-create.md": expect.stringContaining("deployed"),
      "2-update.md": expect.stringContaining("deployed"),
      "3-a-build-that-fails.md": expect.stringContaining("BUILD_FAILED"),
    });
  },
  limit,
);

describe("on a control plane of one's own", () => {
  let emulator: Emulator;
  const env = () => ({
    CONTROL_PLANE_URL: emulator.url,
    API_KEY: emulator.apiKey,
    WORKSPACE_ID: emulator.workspaceId,
    INTEGRATION_ID: "integration",
    REPO_URL: "https://github.com/example/agent",
    REPO_REF: "main",
    APP_CONFIG_PATH: "agent.json",
  });
  const writes = () => emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
  afterEach(() => emulator.close());

  describe("that works", () => {
    beforeEach(async () => {
      emulator = await startEmulator({ statusSeconds: 0 });
    });

    test(
      "the demo deploys, updates and deletes what it made",
      async () => {
        expect(await demo(env())).toMatchObject({ stderr: "", exitCode: 0 });
        expect(writes()).toEqual(["POST", "PATCH", "DELETE"]);
      },
      limit,
    );
  });

  describe("where the build fails", () => {
    beforeEach(async () => {
      emulator = await startEmulator({ statusSeconds: 0, failRefs: { main: "BUILD_FAILED" } });
    });

    test(
      "the demo fails, and deletes what it made all the same",
      async () => {
        const { stderr, exitCode } = await demo(env());
        expect(exitCode).toBe(1);
        expect(stderr).toContain("outcome should be deployed, but is failed");
        expect(writes()).toEqual(["POST", "DELETE"]);
      },
      limit,
    );
  });
});
