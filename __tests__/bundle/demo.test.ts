import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "@jest/globals";
import { playDemo } from "../../scripts/demo/play-demo.ts";
import { targetFrom } from "../../scripts/demo/target.ts";
import { root } from "../../scripts/support/run.ts";
import { writes } from "../support/scenario.ts";
import { type Servers, serverTest, timeLimitMs } from "./support/servers.ts";

/** Plays the demo in a hurry; returns what it printed, why it failed, and the summaries that it left. */
async function play(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "demo-"));
  const lines: string[] = [];
  const print = (line: string) => void lines.push(stripVTControlCharacters(line));
  try {
    const failure = await playDemo({ env, folder, pollSeconds: 0.1, print }).catch(String);
    const summaries = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    return { lines, failure, summaries: Object.fromEntries(summaries) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function targetOf({ access }: Servers): Record<string, string> {
  return {
    CONTROL_PLANE_URL: access.control_plane_url,
    API_KEY: access.api_key,
    WORKSPACE_ID: access.workspace_id,
    INTEGRATION_ID: "integration",
    REPO_URL: "https://github.com/example/agent",
    REPO_REF: "main",
    APP_CONFIG_PATH: "agent.json",
  };
}

test.concurrent(
  "the demo deploys an agent that answers, and shows what happens to it when builds and versions fail",
  async () => {
    const { lines, failure, summaries } = await play({ CONTROL_PLANE_URL: "", API_KEY: "" });

    expect(failure).toBeUndefined();
    expect(lines).toContainEqual(expect.stringMatching(/^Of \d+ requests meanwhile, none failed/));
    expect(lines.join("\n")).toContain("SyntaxError");
    expect(lines.join("\n")).toContain("GREETING=***");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join("\n")).not.toContain("\n\n\n");
    expect(summaries).toEqual({
      "1-a-new-agent.md": expect.stringContaining("deployed"),
      "2-a-push.md": expect.stringContaining("deployed"),
      "3-a-build-that-fails.md": expect.stringContaining("SyntaxError"),
      "4-a-version-that-is-live-but-unhealthy.md": expect.stringContaining("The database does not respond"),
      "5-a-version-whose-first-run-fails.md": expect.stringContaining("The secret WELCOME is not set"),
    });
  },
  timeLimitMs,
);

serverTest(
  "npm run demo deploys to a control plane of your own, and deletes what it created",
  {},
  async (servers) => {
    const env = { PATH: process.env.PATH, ...targetOf(servers) };
    // Its output must not replace that of a demo of the developer's.
    const cwd = mkdtempSync(join(tmpdir(), "demo-"));
    const script = join(root, "scripts", "demo.ts");
    const child = spawn("node", [script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);

    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toContain("demo-output");
    expect(readdirSync(join(cwd, "demo-output"))).not.toEqual([]);
    rmSync(cwd, { recursive: true });
    expect(writes(servers.emulator.requests).map(({ method }) => method)).toEqual([
      ...["POST", "PATCH", "DELETE"],
    ]);
  },
);

serverTest(
  "the demo fails if the build on your own control plane does, and deletes what it created",
  { emulator: { failRefs: { main: "BUILD_FAILED" } } },
  async (servers) => {
    const { failure } = await play(targetOf(servers));

    expect(failure).toContain("outcome should be deployed, but is failed");
    expect(writes(servers.emulator.requests).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  },
);

test("the demo refuses incomplete variables, and names the missing ones without the values of the others", () => {
  const env = { API_KEY: "key-canary", WORKSPACE_ID: "", REPO_REF: undefined };

  expect(() => targetFrom(env)).toThrow(
    /missing: CONTROL_PLANE_URL, WORKSPACE_ID, INTEGRATION_ID, REPO_URL, REPO_REF, APP_CONFIG_PATH\.(?!.*canary)/,
  );
});
